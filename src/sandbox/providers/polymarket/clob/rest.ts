import type { PredictionVenue, VenueBook, VenueMarket } from '../../../prediction/venue.ts'
import { json, ok, type ProviderRequest, type Reply } from '../../reply.ts'
import { LEGACY_BASE_FEE } from '../fees.ts'
import { toPrice } from '../number-text.ts'
import { findWireBook } from '../wire-book.ts'
import { answerBatch, byToken } from './batch.ts'
import type { LastSides } from './last-sides.ts'
import { toClobMarket, toMarketInfo, toSimplifiedMarket } from './market.ts'
import { pageOfMarkets } from './market-pages.ts'
import { readPricesHistory } from './prices-history.ts'
import { findLastTrade, findSide, QUOTES } from './quotes.ts'

const NO_BOOK = json(404, { error: 'No orderbook exists for the requested token id' })
const NO_MARKET = json(404, { error: 'market not found' })
const bad = (error: string) => json(400, { error })
const NOT_ALLOWED = json(405, { error: 'method not allowed' })

type Read = (query: URLSearchParams) => Reply
type Post = (body: Buffer) => Reply
type OfMarket = (market: VenueMarket) => unknown

/** The addresses of the order book that need no account; undefined where there is none. */
export function createClobRest(venue: PredictionVenue, sides: LastSides) {
  const reads = createReads(venue, sides)
  const posts = createPosts(venue, sides)
  const marketReads = createMarketReads(venue)
  return ({ method, path, query, body }: ProviderRequest): Reply | undefined => {
    const isRead = method === 'GET' || method === 'HEAD'
    if (isRead && Object.hasOwn(reads, path)) return reads[path]?.(query)
    if (method === 'POST' && Object.hasOwn(posts, path)) return posts[path]?.(body)
    const [, root = '', name = '', ...more] = path.split('/')
    const isMarket = Object.hasOwn(marketReads, root) && name !== '' && more.length === 0
    if (isMarket && isRead) return marketReads[root]?.(name)
    return isMarket || Object.hasOwn(reads, path) || Object.hasOwn(posts, path) ? NOT_ALLOWED : undefined
  }
}

function createReads(venue: PredictionVenue, sides: LastSides): Readonly<Record<string, Read>> {
  /** What a book says, under the name that the address gives it. */
  const quote = (name: string, find: (book: VenueBook) => string | undefined): Read =>
    withToken((tokenId) => {
      const book = venue.book(tokenId)
      const value = book && find(book)
      return value === undefined ? NO_BOOK : ok({ [name]: value })
    })
  const ofMarket = (show: OfMarket): Read =>
    withToken((tokenId) => {
      const market = venue.findByToken(tokenId)
      return market ? ok(show(market)) : NO_MARKET
    })
  return {
    '/': () => ok('OK'),
    '/ok': () => ok('OK'),
    '/time': () => ok(Math.floor(venue.nowMs() / 1000)),
    '/version': () => ok({ version: 2 }),
    '/book': withToken((tokenId) => {
      const book = findWireBook(venue, tokenId)
      return book ? ok(book) : NO_BOOK
    }),
    '/price'(query) {
      const side = findSide(query.get('side'))
      return side ? quote('price', (book) => QUOTES.price(book, side))(query) : bad('Invalid side')
    },
    '/midpoint': quote('mid', QUOTES.midpoint),
    '/spread': quote('spread', QUOTES.spread),
    '/last-trade-price': withToken((tokenId) => {
      // The venue's own words for a token that was never traded.
      return ok(findLastTrade(venue, sides, tokenId) ?? { price: '0.5', side: '' })
    }),
    '/tick-size': ofMarket(({ tickE4 }) => ({ minimum_tick_size: toPrice(tickE4) })),
    '/neg-risk': ofMarket(() => ({ neg_risk: false })),
    '/fee-rate': ofMarket(() => ({ base_fee: LEGACY_BASE_FEE })),
    '/prices-history': (query) => readPricesHistory(query, venue),
    '/markets': (query) => pageOfMarkets(query, venue.markets(), (each) => toClobMarket(venue, each)),
    '/simplified-markets': (query) =>
      pageOfMarkets(query, venue.markets(), (each) => toSimplifiedMarket(venue, each)),
  }
}

function createPosts(venue: PredictionVenue, sides: LastSides): Readonly<Record<string, Post>> {
  const quotes = (find: (book: VenueBook) => string | undefined): Post => {
    return (body) =>
      answerBatch(body, (items) =>
        byToken(items, ({ token_id }) => {
          const book = venue.book(token_id)
          return book && find(book)
        }),
      )
  }
  return {
    '/books': (body) =>
      answerBatch(body, (items) => items.flatMap(({ token_id }) => findWireBook(venue, token_id) ?? [])),
    '/prices': (body) =>
      answerBatch(body, (items) => {
        const prices: Record<string, Record<string, string>> = {}
        for (const { token_id, side: text } of items) {
          const side = findSide(text)
          const book = venue.book(token_id)
          const price = book && side && QUOTES.price(book, side)
          if (side && price !== undefined) prices[token_id] = { ...prices[token_id], [side]: price }
        }
        return prices
      }),
    '/midpoints': quotes(QUOTES.midpoint),
    '/spreads': quotes(QUOTES.spread),
    '/last-trades-prices': (body) =>
      answerBatch(body, (items) =>
        items.flatMap(({ token_id }) => {
          const last = findLastTrade(venue, sides, token_id)
          return last ? [{ token_id, ...last }] : []
        }),
      ),
  }
}

function createMarketReads(venue: PredictionVenue): Readonly<Record<string, (name: string) => Reply>> {
  const byCondition = (show: OfMarket) => (name: string) => {
    const market = venue.findByCondition(name)
    return market ? ok(show(market)) : NO_MARKET
  }
  return {
    markets: byCondition((market) => toClobMarket(venue, market)),
    'clob-markets': byCondition(toMarketInfo),
    'markets-by-token'(tokenId) {
      const market = venue.findByToken(tokenId)
      if (!market) return NO_MARKET
      const [primary_token_id, secondary_token_id] = market.tokenIds
      return ok({ condition_id: market.conditionId, primary_token_id, secondary_token_id })
    },
  }
}

function withToken(answer: (tokenId: string) => Reply): Read {
  return (query) => {
    const tokenId = query.get('token_id')
    return tokenId ? answer(tokenId) : bad('Invalid token id')
  }
}
