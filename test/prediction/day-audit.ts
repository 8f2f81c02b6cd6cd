import { expect } from 'vitest'
import { COINS, type Coin } from '../../src/core/coin.ts'
import { WINDOW_S, windowAt } from '../../src/core/time/window.ts'
import type { WindowMarket } from '../../src/feeds/prediction/five-minute-markets.ts'
import type { PredictionVenue, VenueBook } from '../../src/sandbox/prediction/venue.ts'
import type { TokenBook } from '../../src/upstreams/polymarket/token-book.ts'
import type { Trouble } from './day-trouble.ts'
import type { PredictionWorld } from './feed-world.ts'

/** Above anything a reply may be older than. */
const REMEMBERED_MS = 120_000
/** After trouble has ended: the longest waits for a connection, a breaker and a retry, and what follows them. */
export const RECOVERED_MS = 45_000
/** A venue that repeats itself is believed for 20 s, and as long again where the first request for some tokens is new. */
const BELIEVED_MS = 45_000
/** Before its end, when the books of the next window are asked for too. */
const NEXT_ASKED_MS = 60_000
/** Confirmed every three seconds, in a step of one. */
const FRESH_MS = 5_000
const READS_PER_SECOND = 500

type Levels = Pick<TokenBook, 'bids' | 'asks'>

/** Compares what is shown with what the venue had, every second. */
export type DayAudit = {
  check(): void
  /** Seconds of each coin: shown fresh, shown with an old time, not shown. */
  seconds: { fresh: number; old: number; missing: number; missingWhileWell: number }
  unknownAtOpen: number
}

export function createDayAudit(world: PredictionWorld, trouble: Trouble): DayAudit {
  const { clock, venue, open } = world
  const history = createVenueHistory(venue)
  const seconds = { fresh: 0, old: 0, missing: 0, missingWhileWell: 0 }
  const audit: DayAudit = { check: () => {}, seconds, unknownAtOpen: 0 }
  const checkCoin = (coin: Coin) => {
    const nowMs = clock.now()
    const { startS } = windowAt(nowMs)
    const isRecovered = nowMs - (trouble.wellSinceMs() ?? nowMs) >= RECOVERED_MS
    const shown = open.fiveMinute.open(coin)
    if (!open.fiveMinute.market(coin, startS)) {
      audit.unknownAtOpen++
      // Known as soon as the venue answers again.
      expect(nowMs - (trouble.listWellSinceMs() ?? nowMs)).toBeLessThan(RECOVERED_MS)
    }
    if (!shown) {
      seconds.missing++
      if (isRecovered) seconds.missingWhileWell++
      return
    }
    expect(shown.market.window.startS).toBe(startS)
    expect(shown.asOfMs).toBeLessThanOrEqual(nowMs)
    const frozenMs = trouble.frozenSinceMs()
    if (frozenMs !== undefined && frozenMs > tokensNewMs(nowMs))
      expect(shown.asOfMs - frozenMs).toBeLessThanOrEqual(BELIEVED_MS)
    const { fromMs, toMs } = trouble.lastFrozen()
    const trueSinceMs = nowMs - toMs < RECOVERED_MS ? Math.min(shown.asOfMs, fromMs) : shown.asOfMs
    for (const book of [shown.up, shown.down]) {
      expect(isUncrossed(book)).toBe(true)
      const wasTrue = history.wasSince(book.tokenId, book, trueSinceMs)
      if (!wasTrue) throw new Error(`${describe(coin, shown, nowMs, venue)}; before: ${trouble.latest()}`)
    }
    if (nowMs - shown.asOfMs <= FRESH_MS) seconds.fresh++
    else seconds.old++
    if (isRecovered) expect(nowMs - shown.asOfMs).toBeLessThanOrEqual(FRESH_MS)
  }
  audit.check = () => {
    history.note(clock.now())
    for (let reads = 0; reads < READS_PER_SECOND; reads++)
      open.fiveMinute.open(COINS[reads % COINS.length] ?? 'BTC')
    for (const coin of COINS) checkCoin(coin)
  }
  return audit
}

/** Since when the same tokens have been asked for. */
function tokensNewMs(nowMs: number): number {
  const { startS, endS } = windowAt(nowMs)
  const nextMs = endS * 1000 - NEXT_ASKED_MS
  return nowMs >= nextMs ? nextMs : startS * 1000
}

const isUncrossed = ({ bids, asks }: Levels) => (bids[0]?.[0] ?? 0) < (asks[0]?.[0] ?? 1)

/** Every book that the venue had of the open windows in the last minutes, with the time from which it had it. */
function createVenueHistory(venue: PredictionVenue) {
  const states = new Map<string, { fromMs: number; key: string }[]>()
  return {
    note(nowMs: number) {
      const { startS } = windowAt(nowMs)
      const open = COINS.flatMap((coin) =>
        [startS, startS + WINDOW_S].map((at) => `${coin.toLowerCase()}-updown-5m-${at}`),
      )
      const tokens = open.flatMap((slug) => venue.findBySlug(slug)?.tokenIds ?? [])
      for (const tokenId of states.keys()) if (!tokens.includes(tokenId)) states.delete(tokenId)
      for (const tokenId of tokens) {
        const book = venue.book(tokenId)
        const known = states.get(tokenId) ?? []
        const key = book ? keyOf(toLevels(book)) : ''
        if (known.at(-1)?.key !== key) known.push({ fromMs: nowMs, key })
        while ((known[1]?.fromMs ?? nowMs) < nowMs - REMEMBERED_MS) known.shift()
        states.set(tokenId, known)
      }
    },
    wasSince(tokenId: string, levels: Levels, sinceMs: number): boolean {
      const key = keyOf(levels)
      const known = states.get(tokenId) ?? []
      return known.some(
        (state, at) => state.key === key && (known[at + 1]?.fromMs ?? Number.POSITIVE_INFINITY) > sinceMs,
      )
    },
  }
}

const toLevels = ({ bids, asks }: VenueBook): Levels => ({
  bids: bids.map(([priceE4, sharesE6]) => [priceE4 / 1e4, sharesE6 / 1e6]),
  asks: asks.map(([priceE4, sharesE6]) => [priceE4 / 1e4, sharesE6 / 1e6]),
})
const keyOf = ({ bids, asks }: Levels) => JSON.stringify([bids, asks])

function describe(coin: Coin, { asOfMs, up }: WindowMarket, nowMs: number, venue: PredictionVenue): string {
  const theirs = venue.book(up.tokenId)
  return `${coin}: shown as of ${nowMs - asOfMs} ms ago: ${keyOf(up)}, venue: ${theirs && keyOf(toLevels(theirs))}`
}
