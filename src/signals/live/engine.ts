import type { Clock } from '../../core/clock.ts'
import { COINS, type Coin, mapCoins } from '../../core/coin.ts'
import { MINUTE_MS } from '../../core/time.ts'
import type { FeedSink } from '../../feeds/events.ts'
import type { Market } from '../../market/market.ts'
import type { Bar } from '../history/bar.ts'
import { createMinuteHistory, type MinuteHistory } from '../history/minute-history.ts'
import { closedMinutes, MINUTE_GRACE_MS, runningMinute } from '../history/minute-source.ts'
import { WARM_MINUTES } from '../model/features.ts'
import type { Model } from '../model/model.ts'
import type { Prediction, Signal } from '../signal.ts'
import { type CoinEngine, createCoinEngine } from './coin-engine.ts'

/** Trades, books and oracle prices in, a signal per coin whenever something changes. */
export type SignalEngine = {
  /** Give it what the market is given. */
  sink: FeedSink
  /** Undefined while history, opening price or fresh minutes are missing. */
  signal(coin: Coin): Signal | undefined
  /** Why there is no signal, in words. */
  missing(coin: Coin): string
  /** What we say of a window seconds before it opens; undefined when the minutes before it are not known. */
  predict(coin: Coin, windowStartS: number): Prediction | undefined
  /** Called after every event of a coin; a minute that closed shows with the next one. One listener. */
  onSignal(listener: (coin: Coin) => void): void
  stop(): void
}

type Ports = { clock: Clock; market: Pick<Market, 'candles'>; model: Model }

/** How often it looks whether a minute has closed. */
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
    // Minutes are read from the market, which joins the venue's own with those made of trades.
    kline() {},
    tradeGap() {},
    oracle(tick) {
      coins[tick.coin].oracle(tick)
      changed(tick.coin)
    },
  }
}

/**
 * Moves all coins to the next closed minute together, so that each sees the others as they were. A coin that lags is
 * waited for until the next minute: then the others go on without it.
 */
function takeMinutes(coins: Record<Coin, CoinEngine>, market: Pick<Market, 'candles'>, nowMs: number): void {
  const waiting = COINS.map((coin) => {
    const { history } = coins[coin]
    const bars = closedMinutes(market, coin, Math.max(0, history.endMs), nowMs)
    // A first look with too little history would start warm-up all over: wait for the venue's past.
    return { coin: coins[coin], bars: history.count > 0 || bars.length >= WARM_MINUTES ? bars : [] }
  })
  const ready = waiting.filter(({ bars }) => bars.length > 0)
  if (ready.length === 0) return
  const newestMs = Math.max(...ready.map(({ bars }) => bars.at(-1)?.openMs ?? 0))
  const isEveryoneThere = ready.every(({ bars }) => bars.at(-1)?.openMs === newestMs)
  const isLate = nowMs - (newestMs + MINUTE_MS) > LATE_MS
  if ((ready.length < COINS.length || !isEveryoneThere) && !isLate) return
  replay(ready)
}

/** Lagging coins are not waited for longer than this after the minute's end. */
const LATE_MS = MINUTE_GRACE_MS + 1_500

function replay(queues: readonly { coin: CoinEngine; bars: readonly Bar[] }[]): void {
  const next = queues.map(() => 0)
  for (;;) {
    const openMs = Math.min(
      ...queues.map(({ bars }, at) => bars[next[at] ?? 0]?.openMs ?? Number.POSITIVE_INFINITY),
    )
    if (openMs === Number.POSITIVE_INFINITY) return
    const moved: CoinEngine[] = []
    queues.forEach(({ coin, bars }, at) => {
      const bar = bars[next[at] ?? 0]
      if (bar?.openMs !== openMs) return
      coin.apply(bar)
      moved.push(coin)
      next[at] = (next[at] ?? 0) + 1
    })
    for (const coin of moved) coin.minuteClosed()
  }
}

/** Every coin's running minute is taken as closed while the prediction is made, then put back. */
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
    const bar = isReady(history) ? runningMinute(market, next, endMs) : undefined
    return bar ? history.peek(bar, () => underPeek(rest)) : underPeek(rest)
  }
  return underPeek(COINS)
}
