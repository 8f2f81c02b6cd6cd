import type { Coin } from '../../core/coin.ts'
import { createRandomStream } from '../../core/math/random.ts'
import { DAY_MS, MINUTE_MS } from '../../core/time/time.ts'
import { appendLines } from '../../signals/samples/files/append-lines.ts'
import { dayPath } from '../../signals/samples/files/day-files.ts'
import { type KeptMinute, toLine } from '../../signals/samples/files/sample-line.ts'
import { DEPTHS, type SampleField, toSample } from '../../signals/samples/minute-sample.ts'
import { randomCandles } from './random-candles.ts'

/** After all that the shipped model was fitted to. */
export const HISTORY_START_MS = Date.UTC(2026, 0, 5)
const VOLATILITY = 6e-4
const AHEAD_MIN = 5
const DRAWS = 32

type Wanted = {
  seed: string
  coins: readonly Coin[]
  days: number
  /** How much of the next five minutes' move the best level of the book tells, in deviations; 0: nothing. */
  told?: number
}

/** A history of random walks, in which samples are noise but for what `told` says. */
export function sampleHistory({ seed, coins, days, told = 0 }: Wanted): KeptMinute[] {
  const count = (days * DAY_MS) / MINUTE_MS
  return coins.flatMap((coin) => {
    const candles = randomCandles({
      seed: `${seed} ${coin}`,
      count: count + AHEAD_MIN,
      startMs: HISTORY_START_MS,
      volatility: VOLATILITY,
    })
    const noise = createRandomStream(`${seed} ${coin}`, 'samples')
    return candles.slice(0, count).map((walked, minute): KeptMinute => {
      const candle = { ...walked, volume: Number(walked.volume.toPrecision(6)) }
      const draw = (which: number) => noise.normal(minute * DRAWS + which)
      const later = candles[minute + AHEAD_MIN]?.close ?? candle.close
      const move = Math.log(later / candle.close) / (VOLATILITY * Math.sqrt(AHEAD_MIN))
      const values = { ...noiseOf(candle.close, draw), binance_imbalance_1: Math.tanh(told * move + draw(0)) }
      return { coin, openMs: candle.openMs, candle, sample: toSample(values) }
    })
  })
}

function noiseOf(close: number, draw: (which: number) => number): Partial<Record<SampleField, number>> {
  const venue = (name: 'binance' | 'coinbase', from: number) => ({
    [`${name}_buy`]: Math.exp(draw(from)),
    [`${name}_sell`]: Math.exp(draw(from + 1)),
    [`${name}_mid`]: close * Math.exp(2e-5 * draw(from + 2)),
    [`${name}_book_age_ms`]: 50,
    [`${name}_reach_bps`]: 3 + Math.abs(draw(from + 7)),
    ...Object.fromEntries(
      DEPTHS.map((levels, at) => [`${name}_imbalance_${levels}`, Math.tanh(draw(from + 3 + at))]),
    ),
  })
  const odds = 1 / (1 + Math.exp(-0.2 * draw(20)))
  return {
    late_ms: 100,
    ...venue('binance', 1),
    ...venue('coinbase', 10),
    basis_bps: 0,
    basis_age_ms: 100,
    oracle_twap: close * Math.exp(1e-4 * draw(21)),
    oracle_twap_age_ms: 1_000,
    oracle_spot: close * Math.exp(2e-5 * draw(22)),
    oracle_spot_age_ms: 1_000,
    up_bid: odds - 0.01,
    up_ask: odds + 0.01,
    up_age_ms: 20,
  }
}

/** The files that a recorder would have written. */
export async function writeHistory(folder: string, minutes: readonly KeptMinute[]): Promise<void> {
  const days = Map.groupBy(
    minutes.toSorted((a, b) => a.openMs - b.openMs),
    ({ openMs }) => dayPath(folder, openMs),
  )
  for (const [path, members] of days) await appendLines(path, members.map(toLine))
}
