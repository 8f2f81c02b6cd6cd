import type { Book, Trade } from '../../feeds/events.ts'
import type { IndicatorReadings, UnknownIndicators } from '../signal.ts'
import { createAggressorRatio } from './aggressor-ratio.ts'
import { createBookImbalance } from './book-imbalance.ts'
import { createMicroPrice, type MicroPrice } from './micro-price.ts'
import { createMinuteIndicators, type MinuteReadings } from './minute-indicators.ts'
import { createTickMomentum } from './tick-momentum.ts'
import { createVolumeSpike } from './volume-spike.ts'

export type Indicators = {
  trade(trade: Trade): void
  book(book: Book): void
  /** The book is not trusted until the next one. */
  bookLost(): void
  /** Trades may be missing since the newest. Readings of trades are unknown until the next one follows it. */
  tradesInDoubt(): void
  minute(minute: { close: number; volume: number }): void
  /** As of `nowMs`. RSI, MACD, Bollinger and rate of change are of closed minutes. */
  read(nowMs: number): IndicatorReadings
  /** Why a reading is undefined, for each that is. */
  whyUnknown(nowMs: number): UnknownIndicators
  microPrice(): MicroPrice | undefined
}

const TOO_FEW_MINUTES = 'too few closed minutes are known'
const IN_DOUBT = 'trades of the last seconds may be missing and are being read again'

/** All indicators of one coin on one venue. The cost of an event does not grow with the number of events. */
export function createIndicators(): Indicators {
  const tickMomentum = createTickMomentum()
  const aggressorRatio = createAggressorRatio()
  const volumeSpike = createVolumeSpike()
  const ofTrades = [tickMomentum, aggressorRatio, volumeSpike]
  let lastId = Number.NaN
  let isInDoubt = false
  const bookImbalance = createBookImbalance()
  const microPrice = createMicroPrice()
  const minutes = createMinuteIndicators()
  const byName = Object.entries({ tickMomentum, bookImbalance, aggressorRatio, volumeSpike }) as [
    keyof IndicatorReadings,
    { whyUnknown(nowMs: number): string | undefined },
  ][]

  return {
    trade(trade) {
      // Trades before a hole and those after it do not make a sum.
      if (!Number.isNaN(lastId) && trade.id !== lastId + 1) for (const each of ofTrades) each.reset()
      lastId = trade.id
      isInDoubt = false
      for (const each of ofTrades) each.trade(trade)
    },
    tradesInDoubt() {
      isInDoubt = true
    },
    book(book) {
      bookImbalance.book(book)
      microPrice.book(book)
    },
    bookLost() {
      bookImbalance.lost()
      microPrice.lost()
    },
    minute({ close, volume }) {
      minutes.close(close)
      volumeSpike.minute(volume)
    },
    read(nowMs) {
      const { rsi, macd, bollinger, rateOfChange } = minutes.read()
      return {
        tickMomentum: isInDoubt ? undefined : tickMomentum.read(nowMs),
        bookImbalance: bookImbalance.read(nowMs),
        aggressorRatio: isInDoubt ? undefined : aggressorRatio.read(nowMs),
        rsi,
        volumeSpike: isInDoubt ? undefined : volumeSpike.read(nowMs),
        rateOfChange,
        macd,
        bollinger,
      }
    },
    whyUnknown(nowMs) {
      const unknown: UnknownIndicators = {}
      for (const [name, value] of Object.entries(minutes.read()))
        if (value === undefined) unknown[name as keyof MinuteReadings] = TOO_FEW_MINUTES
      for (const [name, indicator] of byName) {
        const reason = isInDoubt && name !== 'bookImbalance' ? IN_DOUBT : indicator.whyUnknown(nowMs)
        if (reason !== undefined) unknown[name] = reason
      }
      return unknown
    },
    microPrice: microPrice.read,
  }
}
