import { z } from 'zod'
import { readRows } from '../wire/list.ts'
import { maybeNumber, wireNumber } from '../wire/number.ts'
import { wireArray } from '../wire/text.ts'
import { wireTime } from '../wire/time.ts'
import { orUnknown } from '../wire/unknown.ts'

/** More than all days since the index began in 2018. */
const MAX_DAYS = 10_000
const DAY_S = 86_400

export const FEAR_GREED_WORDS = ['Extreme Fear', 'Fear', 'Neutral', 'Greed', 'Extreme Greed'] as const
export type FearGreedWord = (typeof FEAR_GREED_WORDS)[number]

const FearGreedRow = z
  .object({
    value: wireNumber({ min: 0, max: 100 }),
    value_classification: orUnknown(z.enum(FEAR_GREED_WORDS)),
    timestamp: wireTime(),
    time_until_update: orUnknown(maybeNumber({ min: 0, max: DAY_S })),
  })
  .transform(({ value, value_classification, timestamp, time_until_update }) => ({
    value,
    /** As the provider says it; undefined where it uses another word. */
    word: value_classification,
    atMs: timestamp,
    /** Seconds until the next value; only with the newest one. */
    nextInS: time_until_update,
  }))
export type FearGreedDay = z.output<typeof FearGreedRow>

/** `/fng/`: a value for each day. Newest first, each day once; there is at least one. */
export const FearGreedReply = z
  .object({
    data: wireArray(z.unknown(), MAX_DAYS),
    metadata: z.object({ error: z.null('the provider reports an error').optional() }).nullish(),
  })
  .transform(({ data }, { issues }): { days: readonly FearGreedDay[]; skipped: number } => {
    const { rows, skipped, isBroken } = readRows(data, FearGreedRow)
    if (isBroken || rows.length === 0)
      issues.push({ code: 'custom', input: undefined, message: `${skipped.count} rows break the format` })
    return { days: newestFirst(rows), skipped: skipped.count }
  })

function newestFirst(rows: readonly FearGreedDay[]): FearGreedDay[] {
  const byTime = new Map(rows.map((row) => [row.atMs, row]))
  return [...byTime.values()].sort((a, b) => b.atMs - a.atMs)
}
