import type { Coin } from '../../core/coin.ts'
import type { Listeners } from '../market/listeners.ts'

/** Prices in ten-thousandths of a dollar, shares and money in millionths: whole numbers, so that nothing is lost. */
export type PriceE4 = number
export type AmountE6 = number
export type VenueLevel = readonly [price: PriceE4, shares: AmountE6]
export type VenueSide = 'BUY' | 'SELL'

/**
 * A market of the simulated venue. Its two tokens have one book: a bid for one is an ask for the other at 1 − price.
 * The venue keeps the object up to date; who wants to keep a state copies it.
 */
export type VenueMarket = {
  id: string
  conditionId: string
  slug: string
  question: string
  outcomes: readonly [string, string]
  tokenIds: readonly [string, string]
  /** Of the five-minute series; undefined for the others. */
  series: { coin: Coin; windowStartS: number } | undefined
  eventSlug: string
  /** Of an event with several markets. */
  eventTitle?: string
  tags: readonly string[]
  listedMs: number
  endsMs: number
  state: 'open' | 'closed' | 'disputed' | 'resolved'
  acceptingOrders: boolean
  tickE4: PriceE4
  minShares: AmountE6
  /** Index of the outcome that won, once resolved. */
  winner: 0 | 1 | undefined
  resolvedMs: number | undefined
  volumeE6: AmountE6
  volume24hE6: AmountE6
  /** Of the first token. */
  lastTradeE4: PriceE4 | undefined
}

/** Best first on both sides, for one token. */
export type VenueBook = {
  tokenId: string
  bids: readonly VenueLevel[]
  asks: readonly VenueLevel[]
  atMs: number
}

/** An order whose signature, balance and shape have been checked. */
export type VenueOrder = {
  id: string
  /** The wallet that pays and receives. */
  wallet: string
  tokenId: string
  side: VenueSide
  priceE4: PriceE4
  sharesE6: AmountE6
  kind: 'GTC' | 'GTD' | 'FOK' | 'FAK'
  /** A market buy spends this much at most; its shares follow from the prices that it meets, `sharesE6` does not count. */
  spendE6?: AmountE6
  postOnly: boolean
  expiresMs: number | undefined
}

export type VenueFill = {
  id: string
  orderId: string
  wallet: string
  tokenId: string
  side: VenueSide
  priceE4: PriceE4
  sharesE6: AmountE6
  /** Zero for the maker. */
  feeE6: AmountE6
  role: 'TAKER' | 'MAKER'
  /** The other side of it; a simulated maker has a wallet too. */
  counter: { orderId: string; wallet: string }
  atMs: number
}

export type OrderState = VenueOrder & {
  filledE6: AmountE6
  status: 'live' | 'matched' | 'delayed' | 'canceled' | 'unmatched' | 'expired'
  createdMs: number
}

/** A change of a book is told for both tokens, a match for both orders, the maker's first. */
export type VenueEvent =
  | { type: 'book'; market: VenueMarket; tokenId: string; changes: readonly LevelChange[]; atMs: number }
  | { type: 'trade'; market: VenueMarket; fill: VenueFill }
  | { type: 'order'; market: VenueMarket; order: OrderState; atMs: number }
  | { type: 'tick_size'; market: VenueMarket; oldE4: PriceE4; newE4: PriceE4; atMs: number }
  | { type: 'listed' | 'closed' | 'disputed' | 'resolved'; market: VenueMarket; atMs: number }

/** The new size at a price; zero when the price is gone. */
export type LevelChange = { side: VenueSide; priceE4: PriceE4; sharesE6: AmountE6 }

/** `restart`: 425. `disabled`: 503 for all of trading. `cancel_only`: 503 for all but cancels. */
export type TradingMode = 'on' | 'restart' | 'disabled' | 'cancel_only'

/** What befalls resolutions and makers, for tests; by default a little of each happens by the seed. */
export type VenueTrouble = { resolutionDelayMs?: number; disputed?: boolean }

export type PredictionVenue = {
  nowMs(): number
  /** Every market that is still listed, resolved ones of the last hours too. */
  markets(): readonly VenueMarket[]
  findBySlug(slug: string): VenueMarket | undefined
  /** A market that was once listed, however long ago: for who holds shares of it. Strangers do not reach it. */
  recall(slug: string): VenueMarket | undefined
  findByCondition(conditionId: string): VenueMarket | undefined
  findByToken(tokenId: string): VenueMarket | undefined
  /** Undefined for an unknown token and for a resolved market. */
  book(tokenId: string): VenueBook | undefined
  /** About where the market stood at a time of its past, for charts and changes. */
  priceAt(tokenId: string, atMs: number): PriceE4 | undefined
  /** Matches at once, or after the taker delay; fills are told through `onEvent`. Throws `OrderRefused`. */
  place(order: VenueOrder): OrderState
  /** False where there is no such resting order, or it is delayed. */
  cancel(orderId: string): boolean
  order(orderId: string): OrderState | undefined
  orders(wallet: string): readonly OrderState[]
  /** Newest first. */
  fills(wallet: string): readonly VenueFill[]
  onEvent: Listeners<VenueEvent>['listen']
  mode(): TradingMode
  setMode(mode: TradingMode): void
  setTrouble(trouble: VenueTrouble): void
  close(): void
}

/** Why an order is not taken, in the venue's own words. */
export class OrderRefused extends Error {}
