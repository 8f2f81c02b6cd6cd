import type { Book, Trade } from '../../feeds/events.ts'
import type { IndicatorReadings } from '../signal.ts'
import { createAggressorRatio } from './aggressor-ratio.ts'
import { createBookImbalance } from './book-imbalance.ts'
import { createMicroPrice, type MicroPrice } from './micro-price.ts'
import { createMinuteIndicators } from './minute-indicators.ts'
import { createTickMomentum } from './tick-momentum.ts'
import { createVolumeSpike } from './volume-spike.ts'

export type Indicators = {
  trade(trade: Trade): void
  book(book: Book): void
  /** The book is in doubt until the next one. */
  bookLost(): void
  minute(close: number): void
  /** `nowMs` is what silence is measured by. RSI, MACD, Bollinger and rate of change are of closed minutes. */
  read(nowMs: number): IndicatorReadings
  microPrice(): MicroPrice | undefined
}

/** All indicators of one coin on one venue. Every event costs the same however many came before it. */
export function createIndicators(): Indicators {
  const tickMomentum = createTickMomentum()
  const aggressorRatio = createAggressorRatio()
  const volumeSpike = createVolumeSpike()
  const bookImbalance = createBookImbalance()
  const microPrice = createMicroPrice()
  const minutes = createMinuteIndicators()

  return {
    trade(trade) {
      tickMomentum.trade(trade)
      aggressorRatio.trade(trade)
      volumeSpike.trade(trade)
    },
    book(book) {
      bookImbalance.book(book)
      microPrice.book(book)
    },
    bookLost() {
      bookImbalance.lost()
      microPrice.lost()
    },
    minute: minutes.close,
    read(nowMs) {
      const { rsi, macd, bollinger, rateOfChange } = minutes.read()
      return {
        tickMomentum: tickMomentum.read(nowMs),
        bookImbalance: bookImbalance.read(nowMs),
        aggressorRatio: aggressorRatio.read(nowMs),
        rsi,
        volumeSpike: volumeSpike.read(nowMs),
        rateOfChange,
        macd,
        bollinger,
      }
    },
    microPrice: microPrice.read,
  }
}
