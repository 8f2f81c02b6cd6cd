import { COINS, type Coin } from '../../core/coin.ts'
import type { Clock } from '../../core/time/clock.ts'
import { WINDOW_S, type Window, windowAt } from '../../core/time/window.ts'
import type { FiveMinuteMarket } from '../../upstreams/polymarket/five-minute-market.ts'
import type { MarketEvent } from '../../upstreams/polymarket/socket/market-events.ts'
import type { MalformedEvent, SocketEvent } from '../../upstreams/polymarket/socket/wire.ts'
import type { TokenBook } from '../../upstreams/polymarket/token-book.ts'
import type { Aged } from '../../upstreams/source.ts'
import type { Check } from './book/check-book.ts'
import { createVenueMotion } from './book/venue-motion.ts'
import type { CoinGauges } from './coin-gauges.ts'
import { createFollowedMarket, type FollowedMarket } from './followed-market.ts'
import { isMirrored } from './mirrored.ts'

/** Books are followed from before a window opens. */
const AHEAD_MS = 60_000
/** And for a while after, since the connection also tells that a market is resolved. */
const AFTER_MS = 120_000
/** Changes that REST showed and the connection did not bring for so long will not come. */
const BEHIND_MS = 10_000
/** A book that REST cannot set right for so long contradicts the connection: a new one starts with a new book. */
const STUCK_MS = 6_000

type Listed = Aged<FiveMinuteMarket>
type Find = (coin: Coin, windowStartS: number) => Listed | undefined

/** The markets whose books are followed: of each coin the open window, the next one and the last one. */
export type FollowedMarkets = {
  /** Follows those that have to be followed now, forgets the others, and names the tokens of all. */
  select(find: Find): readonly string[]
  know(listed: Listed): void
  find(coin: Coin, windowStartS: number): FollowedMarket | undefined
  subscribed(tokenIds: readonly string[]): void
  lost(): void
  take(event: SocketEvent): void
  check(book: TokenBook, sentMs: number): void
  unconfirmed(): readonly string[]
  /** Why the connection should be replaced; undefined if it should not. */
  whyReconnect(): string | undefined
  compareSides(): void
  counts(): FollowCounts
}

export type FollowCounts = {
  followed: number
  checks: Readonly<Record<Check, number>>
  /** Seconds in which the two books of a market did not mirror each other. */
  unmirrored: number
  foreignFrames: number
  malformedFrames: number
}

type Options = { clock: Clock; gauges: CoinGauges; hurry(coin: Coin, windowStartS: number): void }
type Blamed = Pick<MalformedEvent, 'tokenIds'> & Partial<Pick<MalformedEvent, 'conditionId'>>
type Followed = FollowedMarket & { coin: Coin; window: Window }

export function createFollowedMarkets({ clock, gauges, hurry }: Options): FollowedMarkets {
  const byCondition = new Map<string, Followed>()
  const motionOf = createVenueMotion(clock)
  const all = () => [...byCondition.values()]
  const openOnes = () => all().filter(({ window }) => isOpen(window, clock.now()))
  const findFor = (tokenId: string) => all().find(({ tokens }) => tokens.includes(tokenId))
  const counts = { unmirrored: 0, foreignFrames: 0, malformedFrames: 0 }
  const checks: Record<Check, number> = { confirmed: 0, newer: 0, loaded: 0, repaired: 0, useless: 0 }
  /** A frame that names no market of ours may have been about any. */
  const mishear = ({ conditionId = '', tokenIds }: Blamed) => {
    counts.malformedFrames++
    const market = byCondition.get(conditionId) ?? tokenIds.map(findFor).find(Boolean)
    for (const each of market ? [market] : all()) each.misheard(market ? tokenIds : [])
  }
  return {
    select(find) {
      const wanted = marketsToFollow(find, clock.now())
      const conditions = new Set(wanted.map(({ value }) => value.conditionId))
      for (const conditionId of byCondition.keys())
        if (!conditions.has(conditionId)) byCondition.delete(conditionId)
      for (const listed of wanted.filter(({ value }) => !byCondition.has(value.conditionId))) {
        const { coin, window, conditionId } = listed.value
        const market = createFollowedMarket({ clock, motion: motionOf(), listed })
        byCondition.set(conditionId, { ...market, coin, window })
      }
      return all().flatMap(({ tokens }) => tokens)
    },
    know(listed) {
      const { value: market } = listed
      const known = byCondition.get(market.conditionId)
      // A listing whose tokens have changed is followed anew.
      if (known && !hasTokens(known, market)) byCondition.delete(market.conditionId)
      else known?.know(listed)
    },
    find: (coin, startS) => all().find((each) => each.coin === coin && each.window.startS === startS),
    subscribed(tokenIds) {
      for (const market of all())
        if (market.tokens.some((tokenId) => tokenIds.includes(tokenId))) market.subscribed()
    },
    lost() {
      for (const market of all()) market.lost()
      gauges.lost()
    },
    take(event) {
      if (event.type === 'malformed') return mishear(event)
      // Kinds that we do not know are none of ours; one without a name may have been.
      if (event.type === 'unknown' && event.name === '') return mishear({ tokenIds: [] })
      if (!isAboutBooks(event)) return
      const conditionId = event.type === 'book' ? event.book.conditionId : event.conditionId
      const market = byCondition.get(conditionId)
      if (!market) return void counts.foreignFrames++
      if (event.type === 'market_resolved') return hurry(market.coin, market.window.startS)
      market.take(event)
      gauges.heard(market.coin, event)
    },
    check(book, sentMs) {
      const market = byCondition.get(book.conditionId)
      const result = market?.check(book, sentMs) ?? 'useless'
      checks[result]++
      if (market && result === 'repaired') gauges.repaired(market.coin)
    },
    unconfirmed: () =>
      all().flatMap((market) => (clock.now() < market.window.endS * 1000 ? market.unconfirmed() : [])),
    whyReconnect: () => findFault(openOnes(), clock.now()),
    compareSides() {
      for (const market of openOnes()) {
        const found = market.read()
        if (found && !isMirrored(found)) counts.unmirrored++
      }
    },
    counts: () => ({ ...counts, checks: { ...checks }, followed: byCondition.size }),
  }
}

function findFault(markets: readonly FollowedMarket[], nowMs: number): string | undefined {
  const isLong = (sinceMs: number | undefined, ms: number) => nowMs - (sinceMs ?? nowMs) >= ms
  if (markets.some((market) => isLong(market.behindSinceMs(), BEHIND_MS))) return 'changes are missing'
  return markets.some((market) => isLong(market.stuckSinceMs(), STUCK_MS)) ? 'books in doubt' : undefined
}

/** A resolved market has no book. */
function marketsToFollow(find: Find, nowMs: number): readonly Listed[] {
  const starts = windowsToFollow(nowMs)
  return COINS.flatMap((coin) => starts.flatMap((startS) => find(coin, startS) ?? [])).filter(
    ({ value: { window, outcome } }) => outcome === undefined || nowMs < window.endS * 1000,
  )
}

function windowsToFollow(nowMs: number): readonly number[] {
  const { startS } = windowAt(nowMs)
  const [sinceMs, untilMs] = [nowMs - startS * 1000, (startS + WINDOW_S) * 1000 - nowMs]
  return [
    startS,
    ...(untilMs <= AHEAD_MS ? [startS + WINDOW_S] : []),
    ...(sinceMs <= AFTER_MS ? [startS - WINDOW_S] : []),
  ]
}

const isOpen = ({ startS, endS }: Window, nowMs: number) => nowMs >= startS * 1000 && nowMs < endS * 1000

const hasTokens = ({ tokens: [up, down] }: FollowedMarket, { tokens }: FiveMinuteMarket) =>
  up === tokens.up && down === tokens.down

type BookEvent = Exclude<MarketEvent, { type: 'new_market' | 'best_bid_ask' }>

/** New markets are told of the whole venue, and best prices only repeat what changes say. */
const isAboutBooks = (event: SocketEvent): event is BookEvent =>
  !['new_market', 'best_bid_ask', 'unknown', 'pong', 'malformed'].includes(event.type)
