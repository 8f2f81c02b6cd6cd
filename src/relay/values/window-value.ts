import { z } from 'zod'
import { COINS } from '../../core/coin.ts'
import type { FiveMinuteHealth, WindowMarket } from '../../feeds/prediction/five-minute-markets.ts'
import type { StreamHealth } from '../../feeds/stream-health.ts'
import type { FiveMinuteMarket } from '../../upstreams/polymarket/five-minute-market.ts'
import type { TokenBook } from '../../upstreams/polymarket/token-book.ts'
import { flag, Levels, maybe, number, shape, text } from './shape.ts'

/** The market of a coin's open window with its books, and why there is none. */
export type WindowValue = { open: WindowMarket | undefined; missing: string }

const Market = shape<FiveMinuteMarket>()({
  coin: z.enum(COINS),
  window: z.object({ startS: number, endS: number }),
  slug: text,
  question: text,
  conditionId: text,
  tokens: z.object({ up: text, down: text }),
  acceptingOrders: flag,
  closed: flag,
  tickSize: number,
  minOrderSize: number,
  fee: maybe(z.object({ rate: number, exponent: number })),
  negRisk: flag,
  resolution: z.object({ kind: z.enum(['twap_60s', 'spot', 'other']), source: text }),
  outcome: maybe(z.enum(['UP', 'DOWN'])),
  priceToBeat: maybe(number),
  finalPrice: maybe(number),
  volumeUsd: maybe(number),
  liquidityUsd: maybe(number),
  version: text,
})

const Book = shape<TokenBook>()({
  tokenId: text,
  conditionId: text,
  bids: Levels,
  asks: Levels,
  tickSize: maybe(number),
  minOrderSize: maybe(number),
  lastTradePrice: maybe(number),
  hash: maybe(text),
  atMs: number,
})

const Open = shape<WindowMarket>()({
  market: Market,
  up: Book,
  down: Book,
  asOfMs: number,
  marketAsOfMs: number,
  version: number,
})

export const WindowValue = shape<WindowValue>()({ open: maybe(Open), missing: text })

/** Markets of a coin's windows around the open one. */
export const KnownMarkets: z.ZodType<readonly FiveMinuteMarket[]> = z.array(Market)

const Stream = shape<StreamHealth>()({
  kind: z.enum(['trades', 'book', 'oracle']),
  source: z.enum(['binance', 'coinbase', 'polybolt', 'coinbase_derived', 'polymarket']),
  coin: maybe(z.enum(COINS)),
  state: z.enum(['connecting', 'live', 'resyncing', 'stalled', 'backoff']),
  ageMs: maybe(number),
  latencyMs: maybe(number),
  reconnects: number,
  gapsRepaired: number,
  gapsLost: number,
  resyncs: number,
  duplicates: number,
  malformed: number,
})
export const Streams = z.array(Stream)

const counts = (...names: readonly string[]) =>
  z.object(Object.fromEntries(names.map((name) => [name, number])))

export const VenueHealth = shape<FiveMinuteHealth>()({
  followed: number,
  checks: counts('confirmed', 'newer', 'loaded', 'repaired', 'useless'),
  unmirrored: number,
  foreignFrames: number,
  malformedFrames: number,
  isConnected: flag,
  books: z.array(z.object({ coin: z.enum(COINS), ageMs: maybe(number), missing: maybe(text) })),
  streams: Streams,
  windows: counts('watched', 'unknown', 'unresolved', 'resolved', 'failures'),
  bookReads: counts('requests', 'failures'),
})
