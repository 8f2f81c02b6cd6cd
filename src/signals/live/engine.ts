import { COINS, type Coin, mapCoins } from '../../core/coin.ts'
import type { Clock } from '../../core/time/clock.ts'
import { MINUTE_MS } from '../../core/time/time.ts'
import type { FeedSink } from '../../feeds/events.ts'
import type { Market } from '../../market/market.ts'
import type { ClosedCandle } from '../history/closed-candle.ts'
import { createMinuteHistory, type MinuteHistory } from '../history/minute-history.ts'
import { closedMinutes, MINUTE_GRACE_MS, runningMinute } from '../history/minute-source.ts'
import { WARM_MINUTES } from '../model/features.ts'
import type { Model } from '../model/model.ts'
import type { Prediction, Signal } from '../signal.ts'
import { type CoinEngine, createCoinEngine } from './coin-engine.ts'

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

type Ports = { clock: Clock; market: Pick<Market, 'candles'>; model: Model }

/** How often to check whether a minute has closed. */
const LOOK_EVERY_MS = 250

export function createSignalEngine({ clock, market, model }: Ports): SignalEngine {
  const histories = mapCoins(createMinuteHistory)
  const coins = mapCoins((coin) =>
    createCoinEngine({
      coin,
      model,
      history: histories[coin],
      others: COINS.filter((other) => other !== coin).map((other) => histories[other]),
    }),
  )
  let listener: (coin: Coin) => void = () => {}
  const stopLooking = clock.every(LOOK_EVERY_MS, () => {
    takeMinutes(coins, market, clock.now())
  })
  return {
    sink: createSink(coins, (coin) => listener(coin)),
    signal: (coin) => coins[coin].signal(),
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
    tradeGap() {},
    oracle(tick) {
      coins[tick.coin].oracle(tick)
      changed(tick.coin)
    },
  }
}

/**
 * Moves all coins to the next closed minute together, so that each sees the others at the same moment. The others wait
 * for a coin that lags, but no longer than `LATE_MS`.
 */
function takeMinutes(coins: Record<Coin, CoinEngine>, market: Pick<Market, 'candles'>, nowMs: number): void {
  const waiting = COINS.map((coin) => {
    const { history } = coins[coin]
    const candles = closedMinutes(market, coin, Math.max(0, history.endMs), nowMs)
    // Starting with too little history would begin a warm-up of hours: wait for the venue's past.
    return { coin: coins[coin], candles: history.count > 0 || candles.length >= WARM_MINUTES ? candles : [] }
  })
  const ready = waiting.filter(({ candles }) => candles.length > 0)
  if (ready.length === 0) return
  const newestMs = Math.max(...ready.map(({ candles }) => candles.at(-1)?.openMs ?? 0))
  const isEveryoneThere = ready.every(({ candles }) => candles.at(-1)?.openMs === newestMs)
  const isLate = nowMs - (newestMs + MINUTE_MS) > LATE_MS
  if ((ready.length < COINS.length || !isEveryoneThere) && !isLate) return
  replay(ready)
}

/** How long after the end of a minute the others wait for a coin that lags. */
const LATE_MS = MINUTE_GRACE_MS + 1_500

function replay(queues: readonly { coin: CoinEngine; candles: readonly ClosedCandle[] }[]): void {
  const next = queues.map(() => 0)
  for (;;) {
    const openMs = Math.min(
      ...queues.map(({ candles }, at) => candles[next[at] ?? 0]?.openMs ?? Number.POSITIVE_INFINITY),
    )
    if (openMs === Number.POSITIVE_INFINITY) return
    const moved: CoinEngine[] = []
    queues.forEach(({ coin, candles }, at) => {
      const candle = candles[next[at] ?? 0]
      if (candle?.openMs !== openMs) return
      coin.apply(candle)
      moved.push(coin)
      next[at] = (next[at] ?? 0) + 1
    })
    for (const coin of moved) coin.minuteClosed()
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
