import { z } from 'zod'
import { SECOND_MS } from '../../core/time/time.ts'
import type { UsageSum } from '../../ledger/ports/usage-log.ts'
import type { PaymentServices } from './services.ts'
import { Day, toDate } from './x402-fields.ts'

/** Sums of all calls are made once in this time, whoever asks. */
const SUMMED_MS = 5 * SECOND_MS
export const callsChange = ({ clock }: PaymentServices): number => Math.floor(clock.now() / SUMMED_MS)

const count = z.int().min(0)
/** Calls that were answered with what was asked for, by who bore the cost; `failed` are all others. */
export const Calls = z.object({ paid: count, demo: count, holder: count, free: count, failed: count })
export type Calls = z.infer<typeof Calls>
export const CallsOfDay = z.object({ date: Day, ...Calls.shape })

/** In one pass: it is asked for every day and every product. */
export function addUp(sums: readonly UsageSum[]): Calls {
  const total: Calls = { paid: 0, demo: 0, holder: 0, free: 0, failed: 0 }
  for (const { via, status, calls } of sums) total[isServed(status) ? via : 'failed'] += calls
  return total
}

export function callsPerDay(sums: readonly UsageSum[]) {
  return [...Map.groupBy(sums, ({ day }) => day)]
    .sort(([a], [b]) => a - b)
    .map(([day, ofDay]) => ({ date: toDate(day), ...addUp(ofDay) }))
}

/** By the name of the product. */
export function perProduct(sums: readonly UsageSum[]): (readonly [string, UsageSum[]])[] {
  return [...Map.groupBy(sums, ({ productId }) => productId)].sort(([a], [b]) => (a < b ? -1 : 1))
}

const isServed = (status: number) => status >= 200 && status < 400
