import { type Asset, perAsset } from '../core/asset.ts'
import type { Clock } from '../core/clock.ts'
import type { FeedSink, Trade, Venue } from '../feeds/events.ts'
import type { Basis } from './basis.ts'
import type { Candle } from './candles.ts'
import { type Coin, createCoin, type OracleView } from './coin.ts'
import { freshnessOf, type StreamAge } from './freshness.ts'
import { type BookView, createPair, type Pair } from './pair.ts'
import type { Price } from './price.ts'
import type { Ticker } from './ticker.ts'

/** Events folded into state. Every value says of when it is: `asOf`, in milliseconds, the data's own time. */
export type Market = {
  sink: FeedSink
  /** Undefined when nothing fresh enough is known: no price beats a wrong one. */
  price(asset: Asset): Price | undefined
  oracle(asset: Asset): OracleView
  basis(asset: Asset): Basis | undefined
  book(venue: Venue, asset: Asset): BookView | undefined
  trades(venue: Venue, asset: Asset, count: number): readonly Trade[]
  candles(venue: Venue, asset: Asset, count: number): readonly Candle[]
  fiveMinuteCandles(venue: Venue, asset: Asset, count: number): readonly Candle[]
  ticker(venue: Venue, asset: Asset): Ticker | undefined
  freshness(): readonly StreamAge[]
}

export function createMarket({ clock }: { clock: Clock }): Market {
  const pairs: Record<Venue, Record<Asset, Pair>> = {
    binance: perAsset(createPair),
    coinbase: perAsset(createPair),
  }
  const coins = perAsset((asset) =>
    createCoin({ clock, usd: pairs.coinbase[asset], usdt: pairs.binance[asset] }),
  )
  return {
    sink: createSink(pairs, coins),
    price: (asset) => coins[asset].price(),
    oracle: (asset) => coins[asset].oracle(),
    basis: (asset) => coins[asset].basis(),
    book: (venue, asset) => pairs[venue][asset].readBook(),
    trades: (venue, asset, count) => pairs[venue][asset].trades(count),
    candles: (venue, asset, count) => pairs[venue][asset].candles(count),
    fiveMinuteCandles: (venue, asset, count) => pairs[venue][asset].fiveMinuteCandles(count),
    ticker: (venue, asset) => pairs[venue][asset].ticker(),
    freshness: () => freshnessOf(pairs, coins, clock.now()),
  }
}

function createSink(pairs: Record<Venue, Record<Asset, Pair>>, coins: Record<Asset, Coin>): FeedSink {
  return {
    trade(trade) {
      pairs[trade.venue][trade.asset].trade(trade)
      coins[trade.asset].pairChanged()
    },
    book(book) {
      pairs[book.venue][book.asset].book(book)
      coins[book.asset].bookChanged()
    },
    bookLost(lost) {
      pairs[lost.venue][lost.asset].bookLost(lost)
      coins[lost.asset].pairChanged()
    },
    kline: (kline) => pairs[kline.venue][kline.asset].kline(kline),
    tradeGap: (gap) => pairs[gap.venue][gap.asset].tradeGap(gap),
    oracle: (tick) => coins[tick.asset].oracleTick(tick),
  }
}
