import { z } from 'zod'
import type { Activity, Position } from '../../upstreams/polymarket/account-activity.ts'
import { ACTIVITY_KINDS } from '../../upstreams/polymarket/account-activity.ts'
import type { PredictionMarket } from '../../upstreams/polymarket/prediction-market.ts'
import { flag, maybe, number, shape, text } from './shape.ts'

/** The names of the chunks that hold the items of a long list, in order. */
export type Bulk = readonly string[]

/** The list of markets; its items are in chunks. */
export type ListValue = {
  last: { bulk: Bulk; asOfMs: number; events: number; isAll: boolean } | undefined
  nextMs: number
  missing: string
}
/** Undefined where nothing was read, or nothing that is young enough. */
export type ActivityValue = { last: { bulk: Bulk; asOfMs: number; cutMs: number | undefined } | undefined }
export type PositionsValue = { last: { bulk: Bulk; asOfMs: number } | undefined }

/** Of one list; a chunk has hundreds of items. */
const CHUNKS_MAX = 2_000
const CHUNK_NAME_CHARS = 64
const BulkNames = z.array(z.string().max(CHUNK_NAME_CHARS)).max(CHUNKS_MAX)

export const ListValue = shape<ListValue>()({
  last: maybe(z.object({ bulk: BulkNames, asOfMs: number, events: number, isAll: flag })),
  nextMs: number,
  missing: text,
})
export const ActivityValue = shape<ActivityValue>()({
  last: maybe(z.object({ bulk: BulkNames, asOfMs: number, cutMs: maybe(number) })),
})
export const PositionsValue = shape<PositionsValue>()({
  last: maybe(z.object({ bulk: BulkNames, asOfMs: number })),
})

export const ListedMarket = shape<PredictionMarket>()({
  id: text,
  slug: text,
  question: text,
  conditionId: text,
  event: z.object({ slug: text, title: text }),
  category: text,
  tags: z.array(text),
  outcomes: z.array(z.object({ label: text, tokenId: maybe(text), price: maybe(number) })),
  active: flag,
  closed: flag,
  acceptingOrders: maybe(flag),
  endsAtMs: maybe(number),
  startsAtMs: maybe(number),
  listedAtMs: maybe(number),
  volume24hUsd: maybe(number),
  volume1wkUsd: maybe(number),
  volumeUsd: maybe(number),
  liquidityUsd: maybe(number),
  bestBid: maybe(number),
  bestAsk: maybe(number),
  lastTradePrice: maybe(number),
  priceChange1h: maybe(number),
  priceChange24h: maybe(number),
  priceChange1wk: maybe(number),
  updatedAtMs: maybe(number),
})

export const ActivityRow = shape<Activity>()({
  kind: z.enum([...ACTIVITY_KINDS, 'OTHER']),
  type: text,
  wallet: text,
  conditionId: text,
  tokenId: maybe(text),
  side: maybe(z.enum(['BUY', 'SELL'])),
  outcome: maybe(text),
  title: text,
  slug: text,
  eventSlug: text,
  shares: maybe(number),
  usd: maybe(number),
  price: maybe(number),
  transactionHash: text,
  atMs: number,
})

export const HeldPosition = shape<Position>()({
  wallet: text,
  tokenId: text,
  conditionId: text,
  slug: text,
  title: text,
  outcome: text,
  shares: number,
  averagePrice: maybe(number),
  costUsd: maybe(number),
  feesUsd: maybe(number),
  currentPrice: maybe(number),
  currentValueUsd: maybe(number),
  realizedPnlUsd: maybe(number),
  unrealizedPnlUsd: maybe(number),
  redeemable: flag,
  mergeable: flag,
  endsAtMs: maybe(number),
})
