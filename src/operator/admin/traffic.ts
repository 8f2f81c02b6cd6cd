import { z } from 'zod'
import type { UsageSum } from '../../ledger/ports/usage-log.ts'
import { roundMicro } from '../../products/prediction-markets/shown-number.ts'
import { Count } from '../fields.ts'

export const Latency = z
  .object({ timed: Count, mean: z.number().min(0), max: z.number().min(0) })
  .nullable()
  .describe('Milliseconds until the reply was ready, of the calls that were timed; null where none was')

export const Traffic = z.object({
  calls: Count,
  failed: Count.describe('Answered with a status of 400 or above'),
  latency_ms: Latency,
})

export function toTraffic(sums: readonly UsageSum[]): z.input<typeof Traffic> {
  const timed = sumOf(sums, 'timed')
  return {
    calls: sumOf(sums, 'calls'),
    failed: sumOf(
      sums.filter(({ status }) => status >= 400),
      'calls',
    ),
    latency_ms:
      timed === 0
        ? null
        : {
            timed,
            mean: roundMicro(sumOf(sums, 'totalMs') / timed),
            max: roundMicro(Math.max(...sums.map(({ maxMs }) => maxMs))),
          },
  }
}

const sumOf = (sums: readonly UsageSum[], field: 'calls' | 'timed' | 'totalMs') =>
  sums.reduce((sum, each) => sum + each[field], 0)

/** Sums with the same value of a field, in the order of that value. */
export function groupSums<K extends 'day' | 'productId' | 'via' | 'status'>(
  sums: readonly UsageSum[],
  field: K,
): [UsageSum[K], readonly UsageSum[]][] {
  return [...Map.groupBy(sums, (sum) => sum[field])].sort(([a], [b]) => (a < b ? -1 : 1))
}
