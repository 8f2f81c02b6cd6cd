import type { Coin } from '../core/coin.ts'
import type { Level } from '../core/level.ts'

/** Venues whose trades and books we follow. `binance` quotes in USDT, `coinbase` in USD. */
export const VENUES = ['binance', 'coinbase'] as const
export type Venue = (typeof VENUES)[number]

/**
 * `side` is the aggressor's. `id` rises by one per trade of a venue's pair: an id that does not follow the last one
 * means that trades are missing between them.
 * `fills` counts the single trades behind it: Binance joins the fills of one order at one price.
 */
export type Trade = {
  venue: Venue
  coin: Coin
  id: number
  price: number
  size: number
  side: 'buy' | 'sell'
  fills: number
  atMs: number
}

/** A closed minute candle as the venue reports it. Coinbase sends neither taker volume nor trade count. */
export type Kline = {
  venue: Venue
  coin: Coin
  openMs: number
  open: number
  high: number
  low: number
  close: number
  volume: number
  takerBuyVolume: number | undefined
  trades: number | undefined
}

/** Best first on both sides. `atMs` is the venue's time of the last change. */
export type Book = {
  venue: Venue
  coin: Coin
  bids: readonly Level[]
  asks: readonly Level[]
  atMs: number
}

export const PRICE_KINDS = ['twap_60s', 'spot'] as const
export type PriceKind = (typeof PRICE_KINDS)[number]

/** `coinbase_derived` is our own average of Coinbase trades, where no oracle account is configured. */
type OracleSource = 'polybolt' | 'coinbase_derived'

/** A tick of the price that resolves five-minute markets; `atMs` is the oracle's own time. */
export type OracleTick = {
  coin: Coin
  kind: PriceKind
  price: number
  source: OracleSource
  atMs: number
}

export type BookFault =
  | 'crossed'
  | 'empty_side'
  | 'unordered'
  | 'bad_level'
  | 'sequence'
  | 'disconnected'
  | 'stalled'
/** The pair's book is in doubt from `atMs` until its next `book` event. */
export type BookLost = { venue: Venue; coin: Coin; fault: BookFault; atMs: number }
/** Trades after the newest one may be missing, until the next one has the id that follows. */
export type TradeDoubt = { venue: Venue; coin: Coin; atMs: number }
/** Neither trades nor the venue's candles give the minute that opened at `openMs`. */
export type MinuteLost = { venue: Venue; coin: Coin; openMs: number }

/** Receives the events of all feeds. Calls are synchronous and must not throw. */
export type FeedSink = {
  trade(trade: Trade): void
  book(book: Book): void
  bookLost(lost: BookLost): void
  kline(kline: Kline): void
  tradeDoubt(doubt: TradeDoubt): void
  minuteLost(lost: MinuteLost): void
  oracle(tick: OracleTick): void
}
