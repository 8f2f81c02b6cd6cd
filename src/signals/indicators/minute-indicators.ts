import { BollingerBands, EMA, MACD, ROC, RSI } from 'trading-signals'
import type { IndicatorReadings } from '../signal.ts'
import { isUsablePrice } from './usable-event.ts'

const RSI_CLOSES = 14
const [MACD_SHORT, MACD_LONG, MACD_SIGNAL] = [12, 26, 9]
/** The library returns a histogram from the 26th close on, where it is 0 by construction. */
const MACD_WARM_CLOSES = MACD_LONG + MACD_SIGNAL - 1
const [BOLLINGER_CLOSES, BOLLINGER_DEVIATIONS] = [20, 2]
/** Narrower bands (as a share of the price) are rounding errors: the smallest real tick is a thousand times wider. */
const FLAT_BANDS = 1e-10
const RATE_OF_CHANGE_MINUTES = 5
/** After so many equal closes less than a rounding error is left of the moves before them. */
const FLAT_CLOSES = 1_000

export type MinuteReadings = Pick<IndicatorReadings, 'rsi' | 'macd' | 'bollinger' | 'rateOfChange'>

export type MinuteIndicators = {
  /** Ends a minute. An impossible price is ignored. */
  close(price: number): void
  /** Of closed minutes. Defined after 15 (RSI), 34 (MACD), 20 (Bollinger) and 6 (rate of change) closes. */
  read(): MinuteReadings
  /** As if the running minute closed at `price`. Does not change later readings by a single bit. */
  peek(price: number): MinuteReadings
}

export function createMinuteIndicators(): MinuteIndicators {
  const rsi = new RSI(RSI_CLOSES)
  const macd = new MACD(new EMA(MACD_SHORT), new EMA(MACD_LONG), new EMA(MACD_SIGNAL))
  const bands = new BollingerBands(BOLLINGER_CLOSES, BOLLINGER_DEVIATIONS)
  const rateOfChange = new ROC(RATE_OF_CHANGE_MINUTES)
  let closes = 0
  let lastClose: number | undefined
  let flatCloses = Number.POSITIVE_INFINITY
  // Whether the library's newest input is a peek: then the next input replaces it.
  let isPeeked = false
  let closed: MinuteReadings = {
    rsi: undefined,
    macd: undefined,
    bollinger: undefined,
    rateOfChange: undefined,
  }

  const flatWith = (price: number) => (lastClose !== undefined && price !== lastClose ? 0 : flatCloses + 1)
  const feed = (price: number): MinuteReadings => {
    const strength = rsi.update(price, isPeeked)
    const convergence = macd.update(price, isPeeked)
    const band = bands.update(price, isPeeked)
    const change = rateOfChange.update(price, isPeeked)
    const isMacdWarm = convergence && closes + 1 >= MACD_WARM_CLOSES
    return {
      // Without a move the strength is even; the library returns 100.
      rsi: strength === null ? undefined : flatWith(price) < FLAT_CLOSES ? strength : 50,
      macd: isMacdWarm ? (convergence.histogram / price) * 10_000 : undefined,
      bollinger: band ? positionIn(band, price) : undefined,
      rateOfChange: change === null ? undefined : change * 100,
    }
  }

  return {
    close(price) {
      if (!isUsablePrice(price)) return
      closed = feed(price)
      isPeeked = false
      flatCloses = flatWith(price)
      lastClose = price
      closes++
    },
    read: () => closed,
    peek(price) {
      if (!isUsablePrice(price)) return closed
      const readings = feed(price)
      isPeeked = true
      return readings
    },
  }
}

/** 0 on the lower band, 1 on the upper, below 0 or above 1 outside. */
function positionIn({ lower, upper }: { lower: number; upper: number }, price: number): number {
  const width = upper - lower
  return width > FLAT_BANDS * price ? (price - lower) / width : 0.5
}
