import type { Coin } from '../../core/coin.ts'
import { MINUTE_MS } from '../../core/time/time.ts'
import { windowAt } from '../../core/time/window.ts'
import type { Book, OracleTick, Trade } from '../../feeds/events.ts'
import type { ClosedCandle } from '../history/closed-candle.ts'
import type { MinuteHistory } from '../history/minute-history.ts'
import { SIGNAL_VENUE } from '../history/minute-source.ts'
import { createIndicators } from '../indicators/indicators.ts'
import { WARM_MINUTES } from '../model/features.ts'
import { createForecaster, type Forecaster } from '../model/forecaster.ts'
import type { Model } from '../model/model.ts'
import { regimeOf } from '../model/regime.ts'
import type { SampleAt } from '../samples/minute-sample.ts'
import type { Prediction, Regime, Signal } from '../signal.ts'
import { createMeasuredWindow, MINUTES_STALE_MS } from './measured-window.ts'
import type { Prices } from './open-window.ts'

/** The signal of one coin, updated with every event. */
export type CoinEngine = {
  history: MinuteHistory
  trade(trade: Trade): void
  book(book: Book): void
  bookLost(venue: Book['venue']): void
  tradeDoubt(venue: Trade['venue']): void
  oracle(tick: OracleTick): void
  /** Adds a closed minute to the history. Call `minuteClosed` once every coin has its own. */
  apply(candle: ClosedCandle): void
  minuteClosed(): void
  signal(nowMs: number): Signal | undefined
  /** Why there is no signal. */
  missing(): string
  /** For the window that opens when the newest minute of the history ends; call it inside `history.peek`. */
  predict(): Prediction | undefined
}

/** A closed minute is known this long after its end, or something is wrong: then the signal abstains. */
const MINUTE_OVERDUE_MS = 6_000
/** For so long after another coin has stopped, a signal without it abstains; then it is taken to be gone. */
const WITHOUT_ANOTHER_MS = 60 * MINUTE_MS

type Ports = {
  coin: Coin
  model: Model
  others: readonly MinuteHistory[]
  history: MinuteHistory
  sampleAt: SampleAt | undefined
}

export function createCoinEngine({ coin, model, others, history, sampleAt }: Ports): CoinEngine {
  const forecaster = createForecaster({ model, own: history, others, sampleAt })
  const indicators = createIndicators()
  const window = createMeasuredWindow({ history, forecaster })
  const { prices } = window
  let regime: Regime = 'neutral'
  let isAlone = false

  return {
    history,
    trade(trade) {
      if (trade.venue === SIGNAL_VENUE) indicators.trade(trade)
      prices.trade(trade)
      window.update(trade.atMs)
    },
    book(book) {
      if (book.venue === SIGNAL_VENUE) indicators.book(book)
      prices.book(book)
      window.update(book.atMs)
    },
    bookLost(venue) {
      prices.bookLost(venue)
      if (venue === SIGNAL_VENUE) indicators.bookLost()
      window.refresh()
    },
    tradeDoubt(venue) {
      if (venue === SIGNAL_VENUE) indicators.tradesInDoubt()
      window.refresh()
    },
    oracle: window.tick,
    apply(candle) {
      history.apply(candle)
      indicators.minute(candle)
      window.minuteClosed(history.endMs, candle.close)
    },
    minuteClosed() {
      forecaster.minuteClosed()
      isAlone = lacksAnother(history, others)
      if (history.count >= WARM_MINUTES) regime = regimeOf(history)
      window.refresh()
    },
    signal(nowMs) {
      const { asOfMs, version } = window
      const measured = window.read()
      if (!measured) return undefined
      const facts = { coin, asOfMs, regime, version, windowStartS: windowAt(asOfMs).startS }
      const seen = { price: anyOf(prices.read(asOfMs)), priceKind: measured.measure.kind }
      const read = { indicators: indicators.read(asOfMs), unknownIndicators: indicators.whyUnknown(asOfMs) }
      const verdict = forecaster.verdict(measured.probabilityUp)
      const isOverdue = nowMs - history.endMs > MINUTE_MS + MINUTE_OVERDUE_MS
      return { ...verdict, abstain: verdict.abstain || isOverdue || isAlone, ...facts, ...seen, ...read }
    },
    missing: () => lackOf(window.asOfMs, history),
    predict() {
      if (!forecaster.isWarm) return undefined
      const { asOfMs } = window
      const probability = openingProbability(forecaster, prices.read(asOfMs).usd, prices.average(asOfMs))
      const facts = { coin, asOfMs, regime: regimeOf(history), windowStartS: history.endMs / 1000 }
      const verdict = forecaster.verdict(probability)
      return {
        ...verdict,
        abstain: verdict.abstain || lacksAnother(history, others),
        ...facts,
        model: model.name,
      }
    },
  }
}

/** Another coin, which the model looks at too, is at another minute. */
function lacksAnother(history: MinuteHistory, others: readonly MinuteHistory[]): boolean {
  return others.some(({ count, endMs }) => {
    const apartMs = Math.abs(history.endMs - endMs)
    return count > 0 && apartMs > 0 && apartMs <= WITHOUT_ANOTHER_MS
  })
}

function lackOf(asOfMs: number, { count, endMs }: MinuteHistory): string {
  if (asOfMs === 0) return 'no market data has arrived yet'
  if (count < WARM_MINUTES) return `${count} of ${WARM_MINUTES} minutes of history are known`
  if (asOfMs - endMs >= MINUTES_STALE_MS) return 'the newest minutes of history are missing'
  return 'the opening price of the window or the current price is unknown'
}

function anyOf({ usd, usdt }: Prices): number {
  return Number.isNaN(usd) ? usdt : usd
}

/** A window that resolves on averages opens at the average, and the price may already be elsewhere. */
function openingProbability({ opening, profile }: Forecaster, usd: number, averagePrice: number): number {
  const distance = Math.log(usd / averagePrice)
  return Number.isFinite(distance) ? opening(distance, profile.leftOfMean(0)) : opening(0, profile.left(0))
}
