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
import type { Prediction, Regime, Signal } from '../signal.ts'
import { createCoinPrices } from './coin-prices.ts'
import type { Measure, Prices } from './open-window.ts'
import { createWindows } from './windows.ts'

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

/** When the newest closed minute is older than this, the signal is too old to sell. */
const MINUTES_STALE_MS = 180_000
/** A closed minute is known this long after its end, or something is wrong: then the signal abstains. */
const MINUTE_OVERDUE_MS = 6_000
/** For so long after another coin has stopped, a signal without it abstains; then it is taken to be gone. */
const WITHOUT_ANOTHER_MS = 60 * MINUTE_MS
const MINUTE_S = 60

type Ports = { coin: Coin; model: Model; others: readonly MinuteHistory[]; history: MinuteHistory }

export function createCoinEngine({ coin, model, others, history }: Ports): CoinEngine {
  const forecaster = createForecaster({ model, own: history, others })
  const indicators = createIndicators()
  const prices = createCoinPrices()
  const windows = createWindows()
  let regime: Regime = 'neutral'
  let asOfMs = 0
  let measure: Measure | undefined
  let probabilityUp: number | undefined
  let version = 0
  let isAlone = false

  /** Another coin, which the model looks at too, is at another minute. */
  const lacksAnother = () =>
    others.some(({ count, endMs }) => {
      const apartMs = Math.abs(history.endMs - endMs)
      return count > 0 && apartMs > 0 && apartMs <= WITHOUT_ANOTHER_MS
    })
  /** Runs after every event: a few dozen operations. */
  const publish = (atMs: number) => {
    if (atMs > asOfMs) asOfMs = atMs
    const now = prices.read(asOfMs)
    const open = windows.at(asOfMs, now.usd)
    const elapsedS = asOfMs / 1000 - open.window.startS
    const isFresh = forecaster.isWarm && asOfMs - history.endMs < MINUTES_STALE_MS
    measure = isFresh ? open.measure(now, elapsedS, forecaster.profile) : undefined
    probabilityUp = measure && forecaster.at(elapsedS / MINUTE_S, measure.distance, measure.varianceMin)
    version++
  }
  return {
    history,
    trade(trade) {
      if (trade.venue === SIGNAL_VENUE) indicators.trade(trade)
      prices.trade(trade)
      publish(trade.atMs)
    },
    book(book) {
      if (book.venue === SIGNAL_VENUE) indicators.book(book)
      prices.book(book)
      publish(book.atMs)
    },
    bookLost(venue) {
      prices.bookLost(venue)
      if (venue === SIGNAL_VENUE) indicators.bookLost()
      if (asOfMs > 0) publish(asOfMs)
    },
    tradeDoubt(venue) {
      if (venue === SIGNAL_VENUE) indicators.tradesInDoubt()
      if (asOfMs > 0) publish(asOfMs)
    },
    oracle(tick) {
      prices.oracle(tick)
      asOfMs = Math.max(asOfMs, tick.atMs)
      windows.at(asOfMs, prices.read(asOfMs).usd).tick(tick)
      publish(asOfMs)
    },
    apply(candle) {
      history.apply(candle)
      indicators.minute(candle)
      windows.minuteClosed(history.endMs / 1000, candle.close)
    },
    minuteClosed() {
      forecaster.minuteClosed()
      isAlone = lacksAnother()
      if (history.count >= WARM_MINUTES) regime = regimeOf(history)
      if (asOfMs > 0) publish(asOfMs)
    },
    signal(nowMs) {
      if (probabilityUp === undefined || !measure) return undefined
      const facts = { coin, asOfMs, regime, version, windowStartS: windowAt(asOfMs).startS }
      const seen = { price: anyOf(prices.read(asOfMs)), priceKind: measure.kind }
      const read = { indicators: indicators.read(asOfMs), unknownIndicators: indicators.whyUnknown(asOfMs) }
      const verdict = forecaster.verdict(probabilityUp)
      const isOverdue = nowMs - history.endMs > MINUTE_MS + MINUTE_OVERDUE_MS
      return { ...verdict, abstain: verdict.abstain || isOverdue || isAlone, ...facts, ...seen, ...read }
    },
    missing: () => lackOf(asOfMs, history),
    predict() {
      if (!forecaster.isWarm) return undefined
      const probability = openingProbability(forecaster, prices.read(asOfMs).usd, prices.average(asOfMs))
      const facts = { coin, asOfMs, regime: regimeOf(history), windowStartS: history.endMs / 1000 }
      const verdict = forecaster.verdict(probability)
      return { ...verdict, abstain: verdict.abstain || lacksAnother(), ...facts, model: model.name }
    },
  }
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
