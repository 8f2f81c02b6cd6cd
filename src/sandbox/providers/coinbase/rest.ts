import { COINS, type Coin } from '../../../core/coin.ts'
import { MINUTE_MS } from '../../../core/time/time.ts'
import { createDayStats } from '../../market/candles/day-stats.ts'
import { toPrice, toSize } from '../../market/instrument.ts'
import type { SimTrade } from '../../market/sim-events.ts'
import type { SimulatedMarket } from '../../market/simulated-market.ts'
import { json, ok, type Read, type Reply, wholeNumber } from '../reply.ts'
import { priceText, sequenceOf, sizeText, timeText, toRestTrade } from './format.ts'
import { coinbaseCurrencies, coinbaseProduct } from './info.ts'

const NOT_FOUND = json(404, { message: 'NotFound' })
const bad = (message: string) => json(400, { message })

const MAX_TRADES = 1000
const MAX_CANDLES = 300
const GRANULARITIES_S = [60, 300, 900, 3600, 21_600, 86_400]

export function findCoinbaseCoin(product: string | undefined): Coin | undefined {
  return COINS.find((coin) => `${coin}-USD` === product)
}

/** Coinbase Exchange's REST addresses. */
export function createCoinbaseRest(market: SimulatedMarket): Read {
  const dayStats = createDayStats(market)
  return (path, query) => {
    const nowMs = market.nowMs()
    if (path === '/time') return ok({ iso: new Date(nowMs).toISOString(), epoch: nowMs / 1000 })
    if (path === '/currencies') return ok(coinbaseCurrencies())
    if (path === '/products') return ok(COINS.map((coin) => coinbaseProduct(market, coin)))
    const [, root, product, reader, ...more] = path.split('/')
    if (root !== 'products' || more.length > 0) return undefined
    const coin = findCoinbaseCoin(product)
    if (!coin) return NOT_FOUND
    if (reader === undefined) return ok(coinbaseProduct(market, coin))
    if (reader === 'book') return readBook(market, coin, query)
    if (reader === 'trades') return readTrades(market, coin, query)
    if (reader === 'candles') return readCandles(market, coin, query)
    const day = dayStats('coinbase', coin)
    const instrument = market.instrument('coinbase', coin)
    if (reader === 'ticker') return readTicker(market, coin, sizeText(instrument, day.lots))
    if (reader !== 'stats') return undefined
    return ok({
      open: priceText(instrument, day.openTicks),
      high: priceText(instrument, day.highTicks),
      low: priceText(instrument, day.lowTicks),
      last: priceText(instrument, day.closeTicks),
      volume: sizeText(instrument, day.lots),
      volume_30day: sizeText(instrument, day.lots * 30),
    })
  }
}

function readBook(market: SimulatedMarket, coin: Coin, query: URLSearchParams): Reply {
  const level = query.get('level') ?? '1'
  if (level !== '1' && level !== '2') return bad('Invalid level')
  const instrument = market.instrument('coinbase', coin)
  const { bids, asks, atMs } = market.book('coinbase', coin)
  const count = level === '1' ? 1 : undefined
  const rows = (levels: typeof bids) =>
    // The third column is the number of orders at the level; the simulator knows only their sum.
    levels
      .slice(0, count)
      .map(([ticks, lots]) => [priceText(instrument, ticks), sizeText(instrument, lots), 1])
  return ok({
    bids: rows(bids),
    asks: rows(asks),
    sequence: sequenceOf(market, coin),
    auction_mode: false,
    auction: null,
    time: timeText(atMs),
  })
}

/** Newest first. `before` asks for trades above an id, `after` for those below. */
function readTrades(market: SimulatedMarket, coin: Coin, query: URLSearchParams): Reply {
  const log = market.trades('coinbase', coin)
  const limit = wholeNumber(query, 'limit', MAX_TRADES)
  const before = wholeNumber(query, 'before', 0)
  const after = wholeNumber(query, 'after', (log.newest?.id ?? 0) + 1)
  if (limit === undefined || before === undefined || after === undefined) return bad('Invalid cursor')
  const count = Math.min(limit, MAX_TRADES)
  const last = Math.min(after - 1, log.newest?.id ?? 0)
  const first = Math.max(before + 1, last - count + 1, log.oldestId)
  const trades: readonly SimTrade[] = last >= first ? log.fromId(first, last - first + 1) : []
  const instrument = market.instrument('coinbase', coin)
  const headers: Record<string, string> = {}
  if (trades.length > 0) {
    headers['CB-BEFORE'] = String(last)
    headers['CB-AFTER'] = String(first)
  }
  return ok(
    [...trades].reverse().map((trade) => toRestTrade(instrument, trade)),
    headers,
  )
}

function readTicker(market: SimulatedMarket, coin: Coin, volume: string): Reply {
  const instrument = market.instrument('coinbase', coin)
  const { bids, asks } = market.book('coinbase', coin)
  const newest = market.trades('coinbase', coin).newest
  if (!newest) return NOT_FOUND
  return ok({
    ask: priceText(instrument, asks[0]?.[0] ?? 0),
    bid: priceText(instrument, bids[0]?.[0] ?? 0),
    volume,
    trade_id: newest.id,
    price: priceText(instrument, newest.priceTicks),
    size: sizeText(instrument, newest.lots),
    time: timeText(newest.atMs),
    rfq_volume: '0.00000000',
  })
}

/** Rows of time, low, high, open, close, volume; newest first. */
function readCandles(market: SimulatedMarket, coin: Coin, query: URLSearchParams): Reply {
  const granularityS = wholeNumber(query, 'granularity', 60)
  if (granularityS === undefined || !GRANULARITIES_S.includes(granularityS))
    return bad('Unsupported granularity')
  const stepMs = granularityS * 1000
  const endMs = Math.min(timeOf(query.get('end')) ?? market.nowMs(), market.nowMs())
  const lastMs = Math.floor(endMs / stepMs) * stepMs
  const startMs = timeOf(query.get('start')) ?? lastMs - (MAX_CANDLES - 1) * stepMs
  const firstMs = Math.max(Math.ceil(startMs / stepMs) * stepMs, market.historyFromMs())
  const count = Math.floor((lastMs - firstMs) / stepMs) + 1
  if (count > MAX_CANDLES)
    return bad(
      'granularity too small for the requested time range. Count of aggregations requested exceeds 300',
    )
  const instrument = market.instrument('coinbase', coin)
  const rows: unknown[] = []
  for (let openMs = lastMs; openMs >= firstMs; openMs -= stepMs) {
    const candle = market.candle('coinbase', coin, openMs, stepMs / MINUTE_MS)
    const { lowTicks, highTicks, openTicks, closeTicks } = candle
    const prices = [lowTicks, highTicks, openTicks, closeTicks].map((ticks) => toPrice(instrument, ticks))
    rows.push([openMs / 1000, ...prices, toSize(instrument, candle.lots)])
  }
  return ok(rows)
}

/** The venue accepts ISO times and whole seconds. */
function timeOf(text: string | null): number | undefined {
  if (text === null) return undefined
  const atMs = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text)
  return Number.isFinite(atMs) ? atMs : undefined
}
