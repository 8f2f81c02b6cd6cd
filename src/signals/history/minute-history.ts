import { MINUTE_MS } from '../../core/time/time.ts'
import { createEwmas } from '../model/volatility/ewma.ts'
import type { ClosedCandle } from './closed-candle.ts'

/** Minutes kept; features look back 240 at most. A power of two, so that a slot is found by masking. */
const CAPACITY = 512
const MASK = CAPACITY - 1
const RSI_MINUTES = [14, 70] as const
const MACD = { fast: 2 / 13, slow: 2 / 27, signal: 2 / 10 } as const
export const VOLATILITY_HALF_LIVES_MIN = [5, 15, 60, 240, 1440] as const
/** Parkinson (1980): the squared log range of a minute, over this, estimates its variance. */
const PARKINSON = 4 * Math.LN2

/**
 * One coin's closed minutes, as the models use them. Prices are logarithms and continuous across gaps: the jump over
 * missing minutes is removed, so that it does not count as a return and no average has to warm up again.
 */
export type MinuteHistory = {
  apply(candle: ClosedCandle): void
  /** Runs `read` as if `candle` had closed; afterwards the history is what it was. */
  peek<T>(candle: ClosedCandle, read: () => T): T
  /** Closed minutes since the start. */
  readonly count: number
  /** Closed minutes since the last gap, or since the start. */
  readonly sinceGap: number
  /** When the newest minute ended. */
  readonly endMs: number
  /** Log close `ago` minutes before the newest. */
  close(ago: number): number
  high(ago: number): number
  low(ago: number): number
  open(): number
  volume(ago: number): number
  /** Fills `out` with log closes, newest first. Faster than a call of `close` for each. */
  readCloses(out: Float64Array): void
  readVolumes(out: Float64Array): void
  /** Relative strength −1..1 over 14 and over 70 minutes: (gains − losses) / (gains + losses). */
  strength(which: 0 | 1): number
  /** MACD line less its signal line, of log prices. */
  macdHistogram(): number
  /** Volatility of one minute by half-life: from closes, and from ranges. */
  closeVolatility(which: number): number
  rangeVolatility(which: number): number
}

export function createMinuteHistory(): MinuteHistory {
  const closes = new Float64Array(CAPACITY)
  const highs = new Float64Array(CAPACITY)
  const lows = new Float64Array(CAPACITY)
  const volumes = new Float64Array(CAPACITY)
  const averages = createAverages()
  let shift = 0
  let newestOpen = 0
  let count = 0
  let sinceGap = 0
  let endMs = Number.NEGATIVE_INFINITY

  const apply = ({ openMs, open, high, low, close, volume }: ClosedCandle) => {
    const slot = count & MASK
    const isGap = count > 0 && openMs !== endMs
    // The return of a first minute, or of one after a gap, is measured from its own open.
    const before = count === 0 ? 0 : (closes[(count - 1) & MASK] ?? 0)
    if (count === 0 || isGap) shift = Math.log(open) - before
    closes[slot] = Math.log(close) - shift
    highs[slot] = Math.log(high) - shift
    lows[slot] = Math.log(low) - shift
    volumes[slot] = volume
    newestOpen = Math.log(open) - shift
    averages.apply(closes[slot], closes[slot] - before, (highs[slot] - lows[slot]) ** 2 / PARKINSON)
    count++
    sinceGap = isGap ? 1 : sinceGap + 1
    endMs = openMs + MINUTE_MS
  }
  const at = (ring: Float64Array, ago: number) => ring[(count - 1 - ago) & MASK] ?? 0
  const copy = (ring: Float64Array, out: Float64Array) => {
    const newest = count - 1
    for (let ago = 0; ago < out.length; ago++) out[ago] = ring[(newest - ago) & MASK] ?? 0
  }

  return {
    apply,
    peek(candle, read) {
      const slot = count & MASK
      const held = [closes[slot], highs[slot], lows[slot], volumes[slot]] as const
      const scalars = { shift, newestOpen, count, sinceGap, endMs }
      const restore = averages.keep()
      try {
        apply(candle)
        return read()
      } finally {
        ;[closes[slot], highs[slot], lows[slot], volumes[slot]] = held as [number, number, number, number]
        ;({ shift, newestOpen, count, sinceGap, endMs } = scalars)
        restore()
      }
    },
    get count() {
      return count
    },
    get sinceGap() {
      return sinceGap
    },
    get endMs() {
      return endMs
    },
    close: (ago) => at(closes, ago),
    high: (ago) => at(highs, ago),
    low: (ago) => at(lows, ago),
    open: () => newestOpen,
    volume: (ago) => at(volumes, ago),
    readCloses: (out) => copy(closes, out),
    readVolumes: (out) => copy(volumes, out),
    ...averages.readings,
  }
}

/** Index of each average in `createEwmas`. */
const GAINS = 0
const LOSSES = GAINS + RSI_MINUTES.length
const FAST = LOSSES + RSI_MINUTES.length
const SLOW = FAST + 1
const SIGNAL = SLOW + 1
const SQUARES = SIGNAL + 1
const RANGES = SQUARES + VOLATILITY_HALF_LIVES_MIN.length

/** All exponential averages; a minute costs O(1). */
function createAverages() {
  const strengths = RSI_MINUTES.map((minutes) => 1 / minutes)
  const volatilities = VOLATILITY_HALF_LIVES_MIN.map((minutes) => 1 - 0.5 ** (1 / minutes))
  const macd = [MACD.fast, MACD.slow, MACD.signal]
  const { add, value, keep } = createEwmas([
    ...strengths,
    ...strengths,
    ...macd,
    ...volatilities,
    ...volatilities,
  ])

  return {
    apply(close: number, change: number, rangeVariance: number) {
      for (let which = 0; which < RSI_MINUTES.length; which++) {
        add(GAINS + which, Math.max(change, 0))
        add(LOSSES + which, Math.max(-change, 0))
      }
      add(FAST, close)
      add(SLOW, close)
      add(SIGNAL, value(FAST) - value(SLOW))
      for (let which = 0; which < VOLATILITY_HALF_LIVES_MIN.length; which++) {
        add(SQUARES + which, change * change)
        add(RANGES + which, rangeVariance)
      }
    },
    keep,
    readings: {
      strength(which: 0 | 1) {
        const [gain, loss] = [value(GAINS + which), value(LOSSES + which)]
        return gain + loss > 0 ? (gain - loss) / (gain + loss) : 0
      },
      macdHistogram: () => value(FAST) - value(SLOW) - value(SIGNAL),
      closeVolatility: (which: number) => Math.sqrt(value(SQUARES + which)),
      rangeVolatility: (which: number) => Math.sqrt(value(RANGES + which)),
    },
  }
}
