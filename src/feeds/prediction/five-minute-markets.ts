import type { Coin } from '../../core/coin.ts'
import type { FiveMinuteMarket } from '../../upstreams/polymarket/five-minute-market.ts'
import type { TokenBook } from '../../upstreams/polymarket/token-book.ts'

/** The market of one window with both books, which were true at `asOfMs`. */
export type WindowMarket = {
  market: FiveMinuteMarket
  up: TokenBook
  down: TokenBook
  /** When the venue last said something that confirms both books, on our clock. */
  asOfMs: number
  /** Rises with every change. */
  version: number
}

/** The five-minute markets of all coins, kept current over the market socket and checked over REST. */
export type FiveMinuteMarkets = {
  /** The market of the window that is open now; undefined until it is known with whole, uncrossed books. */
  open(coin: Coin): WindowMarket | undefined
  /** Why there is none. */
  missing(coin: Coin): string
  /** The market of any window that we heard of, newest first, for those who trade and resolve. */
  market(coin: Coin, windowStartS: number): FiveMinuteMarket | undefined
}
