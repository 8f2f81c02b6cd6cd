import { createHash } from 'node:crypto'
import { COINS, type Coin, mapCoins } from '../../core/coin.ts'
import { DAY_MS, MINUTE_MS } from '../../core/time/time.ts'
import type { ClosedCandle } from '../../signals/history/closed-candle.ts'
import { findDays, readDay } from '../../signals/samples/files/day-files.ts'
import { createLineReader, type LineCounts } from '../../signals/samples/files/read-lines.ts'
import type { KeptMinute } from '../../signals/samples/files/sample-line.ts'
import { SAMPLE_FIELDS, type SampleAt } from '../../signals/samples/minute-sample.ts'
import type { Stretch } from '../history/history-files.ts'

/** What the service has recorded itself, a stretch for each coin. */
export type OwnHistory = {
  stretches: readonly (Stretch & { sampleAt: SampleAt })[]
  sha256: string
  /** UTC days of which at least half of the minutes were seen. */
  days: number
  /** Minutes at whose end somebody looked, and those of which only a candle was read afterwards, for each coin with any. */
  minutes: readonly CoinMinutes[]
  counts: Readonly<LineCounts>
}

export type CoinMinutes = { coin: Coin; watched: number; candlesAlone: number }

/** Newest days that are learnt from. More would not fit into the memory of a small machine: a day takes 1.5 MB. */
const DAYS_READ = 200
const DAY_MIN = DAY_MS / MINUTE_MS

export async function readOwnHistory(
  folder: string,
  onFile: (done: number, all: number) => void,
): Promise<OwnHistory> {
  const found = await findDays(folder)
  const firstMs = (found.at(-1)?.startMs ?? 0) - (DAYS_READ - 1) * DAY_MS
  const files = found.filter(({ startMs }) => startMs >= firstMs)
  if (files.length === 0) throw new Error(`${folder} holds no history yet: it grows while the service runs`)
  const { read, counts } = createLineReader()
  const kept = mapCoins(createKept)
  const digest = createHash('sha256')
  for (const [index, file] of files.entries()) {
    const text = await readDay(file)
    digest.update(`${file.name} ${createHash('sha256').update(text).digest('hex')}\n`)
    for (const minute of read(text)) kept[minute.coin].add(minute)
    onFile(index + 1, files.length)
  }
  return {
    stretches: COINS.flatMap((coin) => kept[coin].stretch(coin) ?? []),
    sha256: digest.digest('hex'),
    days: daysSeen(COINS.map((coin) => kept[coin].seen)),
    minutes: COINS.map((coin) => ({ coin, ...kept[coin].minutes() })).filter(
      ({ watched, candlesAlone }) => watched + candlesAlone > 0,
    ),
    counts,
  }
}

/** Samples of one coin, in blocks of a day: an object for each would take several times the memory. */
function createKept() {
  const width = SAMPLE_FIELDS.length
  const blocks = new Map<number, Float64Array>()
  const seen = new Map<number, number>()
  const candles: ClosedCandle[] = []
  let candlesAlone = 0
  const placeOf = (endMs: number) => {
    const day = Math.floor((endMs - MINUTE_MS) / DAY_MS)
    return { day, from: ((endMs - MINUTE_MS - day * DAY_MS) / MINUTE_MS) * width }
  }
  const sampleAt: SampleAt = (endMs) => {
    const { day, from } = placeOf(endMs)
    const sample = blocks.get(day)?.subarray(from, from + width)
    // The first field is known of every minute at whose end somebody looked.
    return sample && !Number.isNaN(sample[0]) ? sample : undefined
  }
  return {
    seen,
    add({ openMs, candle, sample }: KeptMinute) {
      if (candle) candles.push(candle)
      if (!sample) {
        candlesAlone++
        return
      }
      const { day, from } = placeOf(openMs + MINUTE_MS)
      const block = blocks.get(day) ?? new Float64Array(DAY_MIN * width).fill(Number.NaN)
      blocks.set(day, block)
      block.set(sample, from)
      seen.set(day, (seen.get(day) ?? 0) + 1)
    },
    minutes: () => ({ watched: [...seen.values()].reduce((sum, count) => sum + count, 0), candlesAlone }),
    stretch: (coin: Coin) =>
      candles.length === 0 ? undefined : { coin, file: 'history', candles, sampleAt },
  }
}

function daysSeen(coins: readonly ReadonlyMap<number, number>[]): number {
  const best = new Map<number, number>()
  for (const seen of coins)
    for (const [day, minutes] of seen) best.set(day, Math.max(best.get(day) ?? 0, minutes))
  return [...best.values()].filter((minutes) => 2 * minutes >= DAY_MIN).length
}
