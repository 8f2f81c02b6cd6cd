import type { SimToken, Span } from '../../tokens/token-world.ts'
import { significantText } from '../decimal-text.ts'
import type { ProviderServer } from '../provider-server.ts'
import { json, ok, type Reply, readOnly } from '../reply.ts'
import type { LivePool, TokenMarket } from '../token-market.ts'
import { candlesOf } from './candles.ts'
import { includedWith, PRICE_DIGITS, tokenNames, toPool } from './pool.ts'
import { figuresOf, toToken, toTokenInfo } from './token.ts'

/** The real one gives every reply another; nobody reads it. */
const REPLY_ID = '00000000-0000-4000-8000-000000000000'
const BASE = '/api/v2'
const PAGE = 20
const MAX_PAGE = 10
const MAX_ADDRESSES = 30
/** A pool that is emptied is not trending. */
const LEAST_LIQUIDITY_USD = 1_000
const TOKEN = /^\/networks\/base\/tokens\/(0x[0-9a-f]{40})(\/info|\/pools)?$/i
const PRICES = /^\/simple\/networks\/base\/token_price\/([^/]+)$/
const CANDLES = /^\/networks\/base\/pools\/(0x[0-9a-f]{40}|0x[0-9a-f]{64})\/ohlcv\/([a-z]+)$/i
const DURATIONS: ReadonlyMap<string, Span> = new Map([
  ['5m', 'm5'],
  ['1h', 'h1'],
  ['6h', 'h6'],
  ['24h', 'h24'],
])

const fail = (status: number, title: string) => json(status, { errors: [{ status: String(status), title }] })
const NOT_FOUND = fail(404, 'Not Found')

export function createGeckoTerminalServer(market: TokenMarket): ProviderServer {
  return {
    rest: readOnly((fullPath, query) => {
      if (!fullPath.startsWith(`${BASE}/`)) return undefined
      const path = fullPath.slice(BASE.length)
      if (path === '/networks/base/trending_pools') return readTrending(market, query)
      const [, address, about] = TOKEN.exec(path) ?? []
      if (address !== undefined) return readToken(market, address, about)
      const [, addresses] = PRICES.exec(path) ?? []
      if (addresses !== undefined) return readPrices(market, addresses.toLowerCase().split(','), query)
      const [, pool, timeframe] = CANDLES.exec(path) ?? []
      if (pool !== undefined && timeframe !== undefined) return readCandles(market, pool, timeframe, query)
      return undefined
    }),
    socketAt: () => undefined,
    close() {},
  }
}

function readTrending(market: TokenMarket, query: URLSearchParams): Reply {
  const span = DURATIONS.get(query.get('duration') ?? '24h')
  const page = Number(query.get('page') ?? 1)
  if (!span) return fail(400, 'Invalid duration')
  if (!(Number.isInteger(page) && page >= 1 && page <= MAX_PAGE)) return fail(400, 'Invalid page')
  const pools = market
    .pools()
    .filter(({ state }) => state.liquidityUsd >= LEAST_LIQUIDITY_USD)
    .map((live) => ({ live, heat: heatOf(live, span) }))
    .sort((a, b) => b.heat - a.heat)
    .slice((page - 1) * PAGE, page * PAGE)
    .map(({ live }) => live)
  return okPools(pools, market)
}

/** What trades much for its size, with many who trade. */
const heatOf = ({ state }: LivePool, span: Span) =>
  (state.volumeUsd[span] / state.liquidityUsd) *
  Math.log1p(state.trades[span].buyers + state.trades[span].sellers)

const okPools = (pools: readonly LivePool[], market: TokenMarket): Reply =>
  ok({ data: pools.map((live) => toPool(live, market)), included: includedWith(pools) })

function readToken(market: TokenMarket, address: string, about: string | undefined): Reply {
  const token = market.token(address)
  if (!token) return NOT_FOUND
  if (about === '/pools') return okPools(market.poolsOf(token).slice(0, PAGE), market)
  return ok({ data: about === '/info' ? toTokenInfo(token, market) : toToken(token, market) })
}

function readPrices(market: TokenMarket, addresses: readonly string[], query: URLSearchParams): Reply {
  if (addresses.length > MAX_ADDRESSES) return fail(422, `addresses cannot exceed ${MAX_ADDRESSES}`)
  const known = addresses.flatMap((address) => {
    const token = market.token(address)
    const figures = token && figuresOf(token, market)
    return figures ? [{ address, ...figures }] : []
  })
  const texts = (of: (figures: (typeof known)[number]) => number) =>
    Object.fromEntries(known.map((each) => [each.address, significantText(of(each), PRICE_DIGITS)]))
  const isWanted = (name: string) => query.get(name) === 'true'
  return ok({
    data: {
      id: REPLY_ID,
      type: 'simple_token_price',
      attributes: {
        token_prices: texts(({ priceUsd }) => priceUsd),
        ...(isWanted('include_market_cap') && {
          market_cap_usd: Object.fromEntries(known.map(({ address }) => [address, null])),
        }),
        ...(isWanted('include_24hr_vol') && { h24_volume_usd: texts((each) => each.volume24hUsd) }),
        ...(isWanted('include_24hr_price_change') && {
          h24_price_change_percentage: texts((each) => each.change24hPercent),
        }),
        ...(isWanted('include_total_reserve_in_usd') && {
          total_reserve_in_usd: texts((each) => each.liquidityUsd),
        }),
      },
    },
  })
}

function readCandles(market: TokenMarket, id: string, timeframe: string, query: URLSearchParams): Reply {
  const pool = market.pool(id)
  const [base, quote] = [pool && market.token(pool.token), pool && market.token(pool.quote)]
  if (!(pool && base && quote)) return NOT_FOUND
  const candles = candlesOf(pool, market, timeframe, query)
  if (typeof candles === 'string') return fail(400, candles)
  return ok({
    data: { id: REPLY_ID, type: 'ohlcv_request_response', attributes: { ohlcv_list: candles } },
    meta: { base: namesOf(base), quote: namesOf(quote) },
  })
}

function namesOf(token: SimToken) {
  const { decimals: _, image_url: __, ...names } = tokenNames(token)
  return names
}
