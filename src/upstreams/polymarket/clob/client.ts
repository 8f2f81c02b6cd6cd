import { conditionIdPart, tokenIdPart } from '../../rules/path-parts.ts'
import { type Upstream, UpstreamError } from '../../upstream.ts'
import type { Skipped } from '../../wire/list.ts'
import type { TokenBook } from '../token-book.ts'
import { Book } from './book-wire.ts'
import {
  BooksReply,
  type ClobMarket,
  ClobMarketReply,
  FeeRateReply,
  LastTradeReply,
  type MarketInfo,
  MarketInfoReply,
  MidpointReply,
  NegRiskReply,
  PriceReply,
  PricesHistoryReply,
  PricesReply,
  SpreadReply,
  TickSizeReply,
  TimeReply,
} from './wire.ts'

/** What the venue takes in one request, in rows. */
const MAX_ROWS_PER_REQUEST = 500
/** A row for each side of a token. */
const PRICE_SIDES = ['BUY', 'SELL'] as const
const MAX_PRICED_TOKENS = MAX_ROWS_PER_REQUEST / PRICE_SIDES.length
const MAX_BOOKS_BYTES = 16 * 1024 * 1024
const MAX_HISTORY_BYTES = 8 * 1024 * 1024

/** Books by token. A token that is missing has none, or one that breaks the format: that is in `skipped`. */
export type Books = { books: ReadonlyMap<string, TokenBook>; skipped: Skipped }
export type BestPrices = { bid: number | undefined; ask: number | undefined }
export type PricePoint = { atMs: number; price: number }

/** What the order book of Polymarket tells without credentials. */
export type Clob = {
  books(tokenIds: readonly string[]): Promise<Books>
  /** Undefined where there is none, as after a resolution. */
  book(tokenId: string): Promise<TokenBook | undefined>
  /** The venue calls the best bid the price of side BUY, and the best ask that of side SELL. */
  bestBid(tokenId: string): Promise<number>
  bestAsk(tokenId: string): Promise<number>
  /** Of at most 250 tokens. */
  bestPrices(tokenIds: readonly string[]): Promise<ReadonlyMap<string, BestPrices>>
  midpoint(tokenId: string): Promise<number>
  spread(tokenId: string): Promise<number>
  /** Undefined before the first trade. */
  lastTrade(tokenId: string): Promise<{ price: number; side: 'BUY' | 'SELL' } | undefined>
  tickSize(tokenId: string): Promise<number>
  negRisk(tokenId: string): Promise<boolean>
  /** Not the rate that is charged: that is `fee` of `marketInfo`. */
  legacyFee(tokenId: string): Promise<{ legacyBaseFeeBps: number }>
  marketInfo(conditionId: string): Promise<MarketInfo>
  market(conditionId: string): Promise<ClobMarket>
  pricesHistory(tokenId: string, range: { startS: number; endS: number }): Promise<readonly PricePoint[]>
  timeMs(): Promise<number>
}

export function createClob({ ask }: Pick<Upstream, 'ask'>): Clob {
  const ofToken = (tokenId: string) => ({ token_id: tokenIdPart(tokenId) })
  return {
    async books(tokenIds) {
      if (tokenIds.length === 0) return { books: new Map(), skipped: { count: 0, reasons: [] } }
      const body = atMost(MAX_ROWS_PER_REQUEST, tokenIds).map(ofToken)
      const read = await ask({ path: '/books', body, schema: BooksReply, maxBytes: MAX_BOOKS_BYTES })
      return { books: byToken(read.rows, new Set(tokenIds)), skipped: read.skipped }
    },
    async book(tokenId) {
      try {
        const book = await ask({ path: '/book', query: ofToken(tokenId), schema: Book })
        return own(book, book.tokenId === tokenId, '/book')
      } catch (cause) {
        if (cause instanceof UpstreamError && cause.fault === 'not_found') return undefined
        throw cause
      }
    },
    bestBid: async (tokenId) =>
      ask({ path: '/price', query: { ...ofToken(tokenId), side: 'BUY' }, schema: PriceReply }),
    bestAsk: async (tokenId) =>
      ask({ path: '/price', query: { ...ofToken(tokenId), side: 'SELL' }, schema: PriceReply }),
    async bestPrices(tokenIds) {
      if (tokenIds.length === 0) return new Map()
      const body = atMost(MAX_PRICED_TOKENS, tokenIds).flatMap((id) =>
        PRICE_SIDES.map((side) => ({ ...ofToken(id), side })),
      )
      return ask({ path: '/prices', body, schema: PricesReply })
    },
    midpoint: async (tokenId) => ask({ path: '/midpoint', query: ofToken(tokenId), schema: MidpointReply }),
    spread: async (tokenId) => ask({ path: '/spread', query: ofToken(tokenId), schema: SpreadReply }),
    lastTrade: async (tokenId) =>
      ask({ path: '/last-trade-price', query: ofToken(tokenId), schema: LastTradeReply }),
    tickSize: async (tokenId) => ask({ path: '/tick-size', query: ofToken(tokenId), schema: TickSizeReply }),
    negRisk: async (tokenId) => ask({ path: '/neg-risk', query: ofToken(tokenId), schema: NegRiskReply }),
    legacyFee: async (tokenId) => ask({ path: '/fee-rate', query: ofToken(tokenId), schema: FeeRateReply }),
    async marketInfo(conditionId) {
      const id = conditionIdPart(conditionId)
      const info = await ask({ path: `/clob-markets/${id}`, schema: MarketInfoReply })
      return own(info, info.conditionId === id, '/clob-markets')
    },
    async market(conditionId) {
      const id = conditionIdPart(conditionId)
      const market = await ask({ path: `/markets/${id}`, schema: ClobMarketReply })
      return own(market, market.conditionId === id, '/markets')
    },
    pricesHistory: async (tokenId, { startS, endS }) =>
      ask({
        path: '/prices-history',
        query: { market: tokenIdPart(tokenId), startTs: startS, endTs: endS, fidelity: 1 },
        schema: PricesHistoryReply,
        maxBytes: MAX_HISTORY_BYTES,
      }),
    timeMs: () => ask({ path: '/time', schema: TimeReply }),
  }
}

function atMost(max: number, tokenIds: readonly string[]): readonly string[] {
  if (tokenIds.length <= max) return tokenIds
  throw new RangeError(`at most ${max} tokens in one request`)
}

/** Of the tokens that were asked for; two books of one token contradict each other, so neither counts. */
function byToken(books: readonly TokenBook[], asked: ReadonlySet<string>): ReadonlyMap<string, TokenBook> {
  const found = new Map<string, TokenBook>()
  const twice = new Set<string>()
  for (const book of books) {
    if (found.has(book.tokenId)) twice.add(book.tokenId)
    if (asked.has(book.tokenId)) found.set(book.tokenId, book)
  }
  for (const tokenId of twice) found.delete(tokenId)
  return found
}

function own<T>(reply: T, isOwn: boolean, path: string): T {
  if (!isOwn) throw new UpstreamError('malformed', `${path}: the reply is about something else`)
  return reply
}
