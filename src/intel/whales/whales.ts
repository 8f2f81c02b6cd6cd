import type { Coin } from '../../core/coin.ts'
import type { Venue } from '../../feeds/events.ts'
import type { Part } from '../part.ts'

/** A single large trade at an exchange. */
export type LargeTrade = {
  id: string
  coin: Coin
  exchange: string
  side: 'buy' | 'sell'
  price: number
  usd: number
  atMs: number
}

/** Large trades of one coin summed up, over a span that ends with the part's own time. */
export type WhaleFlow = {
  spanMs: number
  buyUsd: number
  sellUsd: number
  trades: number
  /** For how long of the span we heard each venue ourselves. */
  ownMs: Readonly<Record<Venue, number>>
}

/** What the large ones do. Read from memory. */
export type Whales = {
  /** Newest first. */
  trades(): Part<readonly LargeTrade[]>
  /** Of the last hour. */
  flow(coin: Coin): Part<WhaleFlow>
  /** Differs whenever any of them does. */
  version(): unknown
}
