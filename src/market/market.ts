import { type Coin, mapCoins } from '../core/coin.ts'
import type { Clock } from '../core/time/clock.ts'
import type { FeedSink, Trade, Venue } from '../feeds/events.ts'
import type { Basis } from './basis.ts'
import type { Candle } from './candles.ts'
import { type CoinState, type CoinView, createCoinView, type OracleView } from './coin-view.ts'
import { freshnessOf, type StreamAge } from './freshness.ts'
import { type BookState, type BookView, createPair, type Pair, type PairState } from './pair.ts'
import type { Price } from './price.ts'
import type { Ticker } from './ticker.ts'

/** The current state of the market, built from events. `asOfMs` is always the data's own time. */
export type Market = {
  sink: FeedSink
  /** Undefined without fresh data: no price is better than a wrong one. */
  price(coin: Coin): Price | undefined
  oracle(coin: Coin): OracleView
  basis(coin: Coin): Basis | undefined
  book(venue: Venue, coin: Coin): BookView | undefined
  trades(venue: Venue, coin: Coin, count: number): readonly Trade[]
  candles(venue: Venue, coin: Coin, count: number): readonly Candle[]
  fiveMinuteCandles(venue: Venue, coin: Coin, count: number): readonly Candle[]
  ticker(venue: Venue, coin: Coin): Ticker | undefined
  freshness(): readonly StreamAge[]
}

/**
 * What a market is made of, part by part, so that another process can have the same. A market with the same parts
 * answers the same; only versions are its own, and go on rising.
 */
export type MarketParts = {
  pair(venue: Venue, coin: Coin): PairState
  restorePair(venue: Venue, coin: Coin, state: PairState): void
  coin(coin: Coin): CoinState
  restoreCoin(coin: Coin, state: CoinState): void
  book(venue: Venue, coin: Coin): BookState
  /** Without a look at the basis: see `setBasis`. */
  setBook(venue: Venue, coin: Coin, state: BookState): void
  setBasis(coin: Coin, basis: Basis | undefined): void
}

export function createMarket({ clock }: { clock: Clock }): Market & { parts: MarketParts } {
  const pairs: Record<Venue, Record<Coin, Pair>> = {
    binance: mapCoins(createPair),
    coinbase: mapCoins(createPair),
  }
  const coins = mapCoins((coin) =>
    createCoinView({ clock, usd: pairs.coinbase[coin], usdt: pairs.binance[coin] }),
  )
  return {
    sink: createSink(pairs, coins),
    price: (coin) => coins[coin].price(),
    oracle: (coin) => coins[coin].oracle(),
    basis: (coin) => coins[coin].basis(),
    book: (venue, coin) => pairs[venue][coin].readBook(),
    trades: (venue, coin, count) => pairs[venue][coin].trades(count),
    candles: (venue, coin, count) => pairs[venue][coin].candles(count),
    fiveMinuteCandles: (venue, coin, count) => pairs[venue][coin].fiveMinuteCandles(count),
    ticker: (venue, coin) => pairs[venue][coin].ticker(),
    freshness: () => freshnessOf(pairs, coins, clock.now()),
    parts: createParts(pairs, coins),
  }
}

function createParts(pairs: Record<Venue, Record<Coin, Pair>>, coins: Record<Coin, CoinView>): MarketParts {
  return {
    pair: (venue, coin) => pairs[venue][coin].snapshot(),
    restorePair(venue, coin, state) {
      pairs[venue][coin].restore(state)
      coins[coin].pairChanged()
    },
    coin: (coin) => coins[coin].snapshot(),
    restoreCoin: (coin, state) => coins[coin].restore(state),
    book: (venue, coin) => pairs[venue][coin].bookState(),
    setBook(venue, coin, state) {
      pairs[venue][coin].setBook(state)
      coins[coin].pairChanged()
    },
    setBasis: (coin, basis) => coins[coin].setBasis(basis),
  }
}

function createSink(pairs: Record<Venue, Record<Coin, Pair>>, coins: Record<Coin, CoinView>): FeedSink {
  return {
    trade(trade) {
      pairs[trade.venue][trade.coin].trade(trade)
      coins[trade.coin].pairChanged()
    },
    book(book) {
      pairs[book.venue][book.coin].book(book)
      coins[book.coin].bookChanged()
    },
    bookLost(lost) {
      pairs[lost.venue][lost.coin].bookLost(lost)
      coins[lost.coin].pairChanged()
    },
    kline: (kline) => pairs[kline.venue][kline.coin].kline(kline),
    tradeDoubt: ({ venue, coin }) => pairs[venue][coin].tradeDoubt(),
    minuteLost: ({ venue, coin, openMs }) => pairs[venue][coin].minuteLost(openMs),
    oracle: (tick) => coins[tick.coin].oracleTick(tick),
  }
}
