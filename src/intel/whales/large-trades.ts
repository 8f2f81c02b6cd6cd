import { COINS, type Coin, mapCoins } from '../../core/coin.ts'
import type { Clock } from '../../core/time/clock.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/time/time.ts'
import { type Trade, VENUES, type Venue } from '../../feeds/events.ts'
import type { WhaleTrade } from '../../upstreams/coinlobster/wire.ts'
import { createHeardOrders, type HeardOrder, type HeardOrders } from './heard-orders.ts'
import { isPlausible, reportedId, shownExchange } from './reported-trade.ts'
import { LARGE_TRADE_USD } from './thresholds.ts'
import type { LargeTrade, WhaleFlow } from './whales.ts'

const FLOW_SPAN_MS = HOUR_MS
/** Clocks differ by seconds. What is dated later than this never happened, and would stay for ever. */
const MOST_AHEAD_MS = MINUTE_MS

export type WatchedTrade = LargeTrade & {
  market: 'spot' | 'futures'
  /** `own`: from the trades that we hear ourselves. */
  reportedBy: 'own' | 'coinlobster'
  /** Reported a quarter of an hour after it happened. */
  isDelayed: boolean
}

export type TradeFlow = WhaleFlow & {
  /** Sum of the squared amounts: how much the sum would scatter if sides were drawn by lot. */
  squares: number
}

export type LargeTrades = {
  /** A trade of a venue that we follow, of any size. */
  hear(trade: Trade): void
  /** Rows of CoinLobster. Those that we hear ourselves, or that cannot be, are left out. */
  add(rows: readonly WhaleTrade[]): void
  /** Newest first. */
  list(nowMs: number): readonly WatchedTrade[]
  /** Of trades of at least `minUsd` in the last hour, or in as much of it as was watched. */
  flow(coin: Coin, nowMs: number, minUsd?: number): TradeFlow
  lastHeardMs: HeardOrders['lastMs']
  readonly version: number
}

/** Of each coin: a wild day has some thousands, and flows need an hour only. The oldest are dropped. */
const KEPT_PER_COIN = 2_000

export type LargeTradePorts = Pick<Clock, 'now'> & {
  /** Of our own market; undefined while it has none. */
  priceUsd: (coin: Coin) => number | undefined
}

export function createLargeTrades({ now, priceUsd }: LargeTradePorts): LargeTrades {
  const orders = createHeardOrders()
  const lists = mapCoins<WatchedTrade[]>(() => [])
  const byId = new Map<string, WatchedTrade>()
  let firstAddedMs = Number.POSITIVE_INFINITY
  let version = 0

  const dropOldest = (coin: Coin) => void byId.delete(lists[coin].shift()?.id ?? '')
  const keep = (trade: WatchedTrade) => {
    const list = lists[trade.coin]
    // Most arrive in order of time: the place is near the end.
    let place = list.length
    while (place > 0 && (list[place - 1]?.atMs ?? 0) > trade.atMs) place--
    list.splice(place, 0, trade)
    byId.set(trade.id, trade)
    if (list.length > KEPT_PER_COIN) dropOldest(trade.coin)
    version++
  }
  const isAhead = (atMs: number) => atMs > now() + MOST_AHEAD_MS
  const isHeard = ({ coin, exchange, isFutures, atMs }: WhaleTrade) => {
    const venue = isFutures ? undefined : venueOf(exchange)
    return venue !== undefined && orders.covers(venue, coin, atMs)
  }
  return {
    hear(trade) {
      if (isAhead(trade.atMs)) return
      const order = orders.hear(trade)
      if (order.usd < LARGE_TRADE_USD[order.coin]) return
      const known = byId.get(order.id)
      if (!known) return keep(toOwnTrade(order))
      // The order grew by another fill.
      Object.assign(known, { price: order.price, usd: order.usd })
      version++
    },
    add(rows) {
      for (const row of rows) {
        if (isAhead(row.atMs) || !isPlausible(row, priceUsd(row.coin))) continue
        firstAddedMs = Math.min(firstAddedMs, row.atMs)
        const id = reportedId(row)
        if (row.usd < LARGE_TRADE_USD[row.coin] || byId.has(id) || isHeard(row)) continue
        keep(toReportedTrade(id, row))
      }
    },
    list(nowMs) {
      for (const coin of COINS) while ((lists[coin][0]?.atMs ?? nowMs) < nowMs - DAY_MS) dropOldest(coin)
      return COINS.flatMap((coin) => lists[coin]).sort((a, b) => b.atMs - a.atMs)
    },
    flow(coin, nowMs, minUsd = 0) {
      const list = lists[coin]
      const watchedMs = Math.min(orders.firstMs() ?? Number.POSITIVE_INFINITY, firstAddedMs, nowMs)
      // Where the list is full, what was before it is not known any more.
      const fullMs = list.length === KEPT_PER_COIN ? (list[0]?.atMs ?? 0) : 0
      const fromMs = Math.max(nowMs - FLOW_SPAN_MS, watchedMs, fullMs)
      const heard = VENUES.map((venue) => [venue, orders.heardMs(venue, coin, fromMs, nowMs)])
      return {
        ...sumOf(list.filter(({ atMs, usd }) => atMs >= fromMs && usd >= minUsd)),
        spanMs: nowMs - fromMs,
        ownMs: Object.fromEntries(heard) as TradeFlow['ownMs'],
      }
    },
    lastHeardMs: orders.lastMs,
    get version() {
      return version
    },
  }
}

function sumOf(trades: readonly WatchedTrade[]): Omit<TradeFlow, 'spanMs' | 'ownMs'> {
  const flow = { buyUsd: 0, sellUsd: 0, trades: 0, squares: 0 }
  for (const { side, usd } of trades) {
    if (side === 'buy') flow.buyUsd += usd
    else flow.sellUsd += usd
    flow.trades++
    flow.squares += usd * usd
  }
  return flow
}

const NAMES: Readonly<Record<Venue, string>> = { binance: 'Binance', coinbase: 'Coinbase' }

const toOwnTrade = ({ id, venue, coin, side, price, usd, atMs }: HeardOrder): WatchedTrade => ({
  ...{ id, coin, side, price, usd, atMs, exchange: NAMES[venue] },
  market: 'spot',
  reportedBy: 'own',
  isDelayed: false,
})

const toReportedTrade = (
  id: string,
  { coin, exchange, side, price, usd, atMs, isFutures, isDelayed }: WhaleTrade,
): WatchedTrade => ({
  ...{ id, coin, side, price, usd, atMs, exchange: shownExchange(exchange) },
  market: isFutures ? 'futures' : 'spot',
  reportedBy: 'coinlobster',
  isDelayed,
})

/** The venue whose trades we hear ourselves, by the name that CoinLobster gives it. */
function venueOf(exchange: string): Venue | undefined {
  const name = exchange.toLowerCase()
  if (/^binance( spot)?$/.test(name)) return 'binance'
  return /^coinbase( (exchange|pro|spot|advanced))?$/.test(name) ? 'coinbase' : undefined
}
