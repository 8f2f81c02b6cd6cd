import { COINS, type Coin, mapCoins } from '../../core/coin.ts'
import type { Clock } from '../../core/time/clock.ts'
import { MINUTE_MS } from '../../core/time/time.ts'
import type { FeedSink } from '../../feeds/events.ts'
import type { Market } from '../../market/market.ts'
import { createMinuteHistory, type MinuteHistory } from '../history/minute-history.ts'
import { runningMinute } from '../history/minute-source.ts'
import type { Model } from '../model/model.ts'
import type { Samples } from '../samples/samples.ts'
import type { Prediction, Signal } from '../signal.ts'
import { type CoinEngine, createCoinEngine } from './coin-engine.ts'
import { createTakeMinutes } from './take-minutes.ts'

/** Takes trades, books and oracle prices, and keeps a signal per coin up to date. */
export type SignalEngine = {
  /** Gets the same events as the market. */
  sink: FeedSink
  /** Undefined while history, opening price or fresh minutes are missing. */
  signal(coin: Coin): Signal | undefined
  /** Why there is no signal. */
  missing(coin: Coin): string
  /** The prediction for a window, seconds before it opens; undefined when the minutes before it are unknown. */
  predict(coin: Coin, windowStartS: number): Prediction | undefined
  /** Called after every event of a coin, but not when a minute closes. There is one listener only. */
  onSignal(listener: (coin: Coin) => void): void
  stop(): void
}

type Ports = {
  clock: Clock
  market: Pick<Market, 'candles'>
  model: Model
  /** For a model that has learnt from own history. */
  samples?: Pick<Samples, 'at'>
}

/** How often to check whether a minute has closed. */
const LOOK_EVERY_MS = 250

export function createSignalEngine({ clock, market, model, samples }: Ports): SignalEngine {
  const histories = mapCoins(createMinuteHistory)
  const coins = mapCoins((coin) =>
    createCoinEngine({
      coin,
      model,
      history: histories[coin],
      others: COINS.filter((other) => other !== coin).map((other) => histories[other]),
      sampleAt: samples && ((endMs) => samples.at(coin, endMs)),
    }),
  )
  const takeMinutes = createTakeMinutes({ coins, market })
  let listener: (coin: Coin) => void = () => {}
  const stopLooking = clock.every(LOOK_EVERY_MS, () => {
    takeMinutes(clock.now())
  })
  return {
    sink: createSink(coins, (coin) => listener(coin)),
    signal: (coin) => coins[coin].signal(clock.now()),
    missing: (coin) => coins[coin].missing(),
    predict: (coin, windowStartS) => predictNext(coins, market, coin, windowStartS),
    onSignal(next) {
      listener = next
    },
    stop: stopLooking,
  }
}

function createSink(coins: Record<Coin, CoinEngine>, changed: (coin: Coin) => void): FeedSink {
  return {
    trade(trade) {
      coins[trade.coin].trade(trade)
      changed(trade.coin)
    },
    book(book) {
      coins[book.coin].book(book)
      changed(book.coin)
    },
    bookLost({ venue, coin }) {
      coins[coin].bookLost(venue)
      changed(coin)
    },
    // Minutes are read from the market, which merges the venue's candles with those built from trades.
    kline() {},
    minuteLost() {},
    tradeDoubt({ venue, coin }) {
      coins[coin].tradeDoubt(venue)
      changed(coin)
    },
    oracle(tick) {
      coins[tick.coin].oracle(tick)
      changed(tick.coin)
    },
  }
}

/** Predicts as if the running minute of every coin had closed; the histories stay as they are. */
function predictNext(
  coins: Record<Coin, CoinEngine>,
  market: Pick<Market, 'candles'>,
  coin: Coin,
  windowStartS: number,
): Prediction | undefined {
  const endMs = windowStartS * 1000
  const isReady = (history: MinuteHistory) => history.endMs === endMs - MINUTE_MS
  if (!isReady(coins[coin].history) || !runningMinute(market, coin, endMs)) return undefined
  const underPeek = (left: readonly Coin[]): Prediction | undefined => {
    const [next, ...rest] = left
    if (next === undefined) return coins[coin].predict()
    const { history } = coins[next]
    const candle = isReady(history) ? runningMinute(market, next, endMs) : undefined
    return candle ? history.peek(candle, () => underPeek(rest)) : underPeek(rest)
  }
  return underPeek(COINS)
}
