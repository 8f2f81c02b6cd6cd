import type { Clock } from '../../core/time/clock.ts'
import type { FiveMinuteMarket } from '../../upstreams/polymarket/five-minute-market.ts'
import type { MarketEvent } from '../../upstreams/polymarket/socket/market-events.ts'
import type { TokenBook } from '../../upstreams/polymarket/token-book.ts'
import type { Aged } from '../../upstreams/source.ts'
import type { Check } from './book/check-book.ts'
import { createFollowedBook, type FollowedBook } from './book/followed-book.ts'
import type { TokenChanges } from './book/recent-changes.ts'
import type { Motion } from './book/venue-motion.ts'

/** A book that nothing confirmed for so long is read over REST; products refuse it after ten seconds. */
const CONFIRM_AFTER_MS = 3_000
/** What a connection lost without a sign is found by comparing. */
const COMPARE_EVERY_MS = 5_000

/** The market of one window with both books, which were true at `asOfMs`. */
export type MarketAndBooks = {
  market: FiveMinuteMarket
  up: TokenBook
  down: TokenBook
  /** When the venue last said something that confirms both books, on our clock. */
  asOfMs: number
  /** When its list was last asked and said the same of the market, on our clock; the tick is as new as the books. */
  marketAsOfMs: number
}

/** The market of one window with the books of its two tokens. */
export type FollowedMarket = {
  readonly tokens: readonly [up: string, down: string]
  /** A new reading of the market list. */
  know(listed: Aged<FiveMinuteMarket>): void
  market(): FiveMinuteMarket
  subscribed(): void
  lost(): void
  take(event: MarketEvent): void
  /** A frame about these tokens could not be read; about both where it names none. */
  misheard(tokenIds: readonly string[]): void
  check(book: TokenBook, sentMs: number): Check
  /** Tokens whose book has to be read over REST now. */
  unconfirmed(): readonly string[]
  /** Undefined while a book is in doubt; the same object until something changes. */
  read(): MarketAndBooks | undefined
  missing(): string
  behindSinceMs(): number | undefined
  stuckSinceMs(): number | undefined
}

export function createFollowedMarket({
  clock,
  motion,
  ...given
}: {
  clock: Clock
  motion: Motion
  listed: Aged<FiveMinuteMarket>
}): FollowedMarket {
  let { listed } = given
  const { tokens, conditionId, tickSize } = listed.value
  const follow = (tokenId: string) => createFollowedBook({ clock, motion, tokenId, conditionId, tickSize })
  const books = new Map([tokens.up, tokens.down].map((tokenId) => [tokenId, follow(tokenId)]))
  const [up, down] = [...books.values()] as [FollowedBook, FollowedBook]
  const checkedMs = new Map<string, number>()
  let shown: MarketAndBooks | undefined
  const changed = (): void => {
    shown = undefined
  }
  const current = () => ({ ...listed.value, tickSize: up.tickSize() })
  return {
    tokens: [tokens.up, tokens.down],
    know(next) {
      listed = next
      changed()
    },
    market: current,
    subscribed: () => books.forEach((book) => void book.subscribed()),
    lost: () => books.forEach((book) => void book.lost()),
    take(event) {
      takeEvent(books, event)
      changed()
    },
    misheard(tokenIds) {
      const named = [...books].filter(([tokenId]) => tokenIds.includes(tokenId))
      for (const [, book] of named.length > 0 ? named : books) book.misheard()
      changed()
    },
    check(book, sentMs) {
      checkedMs.set(book.tokenId, clock.now())
      changed()
      return books.get(book.tokenId)?.check(book, sentMs) ?? 'useless'
    },
    unconfirmed: () =>
      [...books].flatMap(([tokenId, book]) =>
        isDue(book, checkedMs.get(tokenId), clock.now()) ? tokenId : [],
      ),
    read() {
      if (shown) return shown
      const [upBook, downBook] = [up.read(), down.read()]
      if (!upBook || !downBook) return undefined
      const asOfMs = Math.min(up.asOfMs(), down.asOfMs())
      shown = { market: current(), up: upBook, down: downBook, asOfMs, marketAsOfMs: listed.asOfMs }
      return shown
    },
    missing() {
      const aheadMs = up.aheadMs() ?? down.aheadMs()
      if (aheadMs !== undefined)
        return `the order book of ${listed.value.slug} cannot be dated: the venue's clock is ${Math.round(aheadMs / 1000)} s ahead of ours`
      const doubts = [up.doubt() && `UP: ${up.doubt()}`, down.doubt() && `DOWN: ${down.doubt()}`]
      return `the order book of ${listed.value.slug} is being read (${doubts.filter(Boolean).join(', ')})`
    },
    behindSinceMs: () => up.behindSinceMs() ?? down.behindSinceMs(),
    stuckSinceMs: () => up.stuckSinceMs() ?? down.stuckSinceMs(),
  }
}

function isDue(book: FollowedBook, checkedMs: number | undefined, nowMs: number): boolean {
  if (!book.isFollowing() || nowMs - book.asOfMs() >= CONFIRM_AFTER_MS) return true
  return checkedMs === undefined || nowMs - checkedMs >= COMPARE_EVERY_MS
}

function takeEvent(books: ReadonlyMap<string, FollowedBook>, event: MarketEvent): void {
  if (event.type === 'book') books.get(event.book.tokenId)?.snapshot(event.book)
  if (event.type === 'last_trade_price') books.get(event.tokenId)?.setLastTrade(event.price)
  // The tick is the market's: both tokens have one.
  if (event.type === 'tick_size_change') for (const book of books.values()) book.setTick(event.newTickSize)
  if (event.type === 'price_change')
    for (const [tokenId, book] of books) {
      const changes = changesOf(event, tokenId)
      if (changes) book.change(changes)
    }
}

/** All changes of one token in a frame; its last row names the best prices after them. */
function changesOf(
  { changes, atMs }: Extract<MarketEvent, { type: 'price_change' }>,
  tokenId: string,
): TokenChanges | undefined {
  const rows = changes.filter((change) => change.tokenId === tokenId)
  const last = rows.at(-1)
  if (!last) return undefined
  const levels = rows.map(({ side, price, size }) => ({
    side: side === 'BUY' ? ('bids' as const) : ('asks' as const),
    price,
    shares: size,
  }))
  return { atMs, levels, bestBid: last.bestBid, bestAsk: last.bestAsk }
}
