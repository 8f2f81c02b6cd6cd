import { z } from 'zod'
import { readRows, type Skipped } from '../wire/list.ts'
import { maybeNumber, wireNumber } from '../wire/number.ts'
import { wireArray } from '../wire/text.ts'
import { wireTime } from '../wire/time.ts'
import { orUnknown } from '../wire/unknown.ts'

const MAX_DAYS = 5_000
/** A thousand times the largest day so far: anything beyond is not dollars. */
const MAX_FLOW_USD = 1e12
const MAX_USD = 1e14

const maybeUsd = () => orUnknown(maybeNumber({ min: -MAX_USD, max: MAX_USD }))

/** A day in dollars. The open interface writes `totalNetInflow`, the one with a key `total_net_inflow`. */
const EtfDay = z
  .looseObject({})
  .transform((row): unknown => {
    const field = (open: string, keyed: string) => unwrapped(row[open] ?? row[keyed])
    return {
      dayMs: row.date,
      netInflowUsd: field('totalNetInflow', 'total_net_inflow'),
      tradedUsd: field('totalValueTraded', 'total_value_traded'),
      assetsUsd: field('totalNetAssets', 'total_net_assets'),
      sinceStartUsd: field('cumNetInflow', 'cum_net_inflow'),
    }
  })
  .pipe(
    z.object({
      /** Midnight (UTC) of the day of trading. */
      dayMs: wireTime(),
      netInflowUsd: wireNumber({ min: -MAX_FLOW_USD, max: MAX_FLOW_USD }),
      tradedUsd: maybeUsd(),
      assetsUsd: maybeUsd(),
      sinceStartUsd: maybeUsd(),
    }),
  )

/** Some replies wrap a number: `{ "value": 1.5, "lastUpdateDate": "2026-05-21" }`. */
function unwrapped(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'value' in value ? value.value : value
}
export type EtfDay = z.output<typeof EtfDay>
export type EtfHistory = { days: readonly EtfDay[]; skipped: Skipped }

const rows = () => wireArray(z.unknown(), MAX_DAYS)

/** `historicalInflowChart` and `summary-history`. Newest day first, whatever order they were sent in. */
export const EtfReply = z
  .object({
    code: z.union([z.literal(0), z.literal('0')], 'expected the code of success, 0'),
    data: z.union([rows(), z.object({ list: rows() }).transform(({ list }) => list)]),
  })
  .transform(({ data }, { issues }): EtfHistory => {
    const read = readRows(data, EtfDay)
    if (read.isBroken)
      issues.push({
        code: 'custom',
        input: undefined,
        message: `${read.skipped.count} rows break the format: ${read.skipped.reasons[0]}`,
      })
    const byDay = new Map(read.rows.map((row) => [row.dayMs, row]))
    return { days: [...byDay.values()].sort((a, b) => b.dayMs - a.dayMs), skipped: read.skipped }
  })
