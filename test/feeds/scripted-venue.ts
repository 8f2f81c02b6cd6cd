import { setImmediate as nextTurn } from 'node:timers/promises'
import { pino } from 'pino'
import { createManualClock } from '../../src/core/time/manual-clock.ts'
import type { Book, BookLost, FeedSink, Trade, TradeDoubt } from '../../src/feeds/events.ts'
import { createStreamGauge } from '../../src/feeds/stream-health.ts'
import type { RawBook, VenueClient } from '../../src/feeds/venues/venue-client.ts'

export const START_MS = Date.UTC(2026, 0, 5, 12)

/** A venue of one pair in memory: what its socket says is scripted, what its REST knows is `ledger`. */
export function createScriptedVenue() {
  const clock = createManualClock(START_MS)
  const ledger: Trade[] = []
  const calls: string[] = []
  const trades = createLine<readonly Trade[]>()
  const books = createLine<RawBook>()
  let isRestDown = false
  const answer = <T>(call: string, value: T): Promise<T> => {
    calls.push(call)
    return isRestDown ? Promise.reject(new Error('rest is down')) : Promise.resolve(value)
  }
  const client: VenueClient = {
    venue: 'coinbase',
    watchTrades: () => trades.next(),
    watchBook: () => books.next(),
    resyncBook: () => void calls.push('resync'),
    refreshBook: () => void calls.push('refresh'),
    resubscribe(stream) {
      calls.push(`resubscribe ${stream}`)
      ;(stream === 'trades' ? trades : books).fail(new Error('resubscribed'))
    },
    restart(stream) {
      calls.push(`restart ${stream}`)
      ;(stream === 'trades' ? trades : books).fail(new Error('restarted'))
    },
    reconnect: () => void calls.push('reconnect'),
    latestTrade: () => answer('latest', ledger.at(-1)),
    tradesBetween: (_, fromId, toId = Number.POSITIVE_INFINITY) =>
      answer(
        `trades ${fromId}-${toId}`,
        ledger.filter(({ id }) => id >= fromId && id <= toId),
      ),
    klines: () => answer('klines', { klines: [], isClean: true, venueMs: undefined }),
    close: async () => {},
  }
  return {
    clock,
    ledger,
    calls,
    trades,
    books,
    client,
    setRestDown(isDown: boolean) {
      isRestDown = isDown
    },
  }
}

export type ScriptedVenue = ReturnType<typeof createScriptedVenue>

export function tradeOf(id: number, atMs = START_MS + id): Trade {
  return { venue: 'coinbase', coin: 'BTC', id, price: 100, size: 1, side: 'buy', fills: 1, atMs }
}

/** What a feed needs besides its own options, with everything it says kept. */
export function feedOptions({ clock, client }: ScriptedVenue, kind: 'trades' | 'book') {
  const heard = {
    ids: [] as number[],
    books: [] as Book[],
    lost: [] as BookLost['fault'][],
    doubts: [] as TradeDoubt[],
  }
  const sink: FeedSink = {
    trade: ({ id }) => heard.ids.push(id),
    book: (book) => heard.books.push(book),
    bookLost: ({ fault }) => heard.lost.push(fault),
    tradeDoubt: (doubt) => heard.doubts.push(doubt),
    minuteLost() {},
    kline() {},
    oracle() {},
  }
  const aborter = new AbortController()
  const gauge = createStreamGauge(clock, { kind, source: 'coinbase', coin: 'BTC' })
  const log = pino({ level: 'silent' })
  return {
    clock,
    client,
    coin: 'BTC',
    sink,
    gauge,
    random: () => 0.5,
    log,
    signal: aborter.signal,
    heard,
    aborter,
  } as const
}

/** Lets everything that is ready run. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await nextTurn()
}

/** Hands one value or failure at a time to the caller that waits. */
function createLine<T>() {
  const ready: T[] = []
  let waiter: PromiseWithResolvers<T> | undefined
  return {
    next(): Promise<T> {
      const value = ready.shift()
      if (value !== undefined) return Promise.resolve(value)
      waiter = Promise.withResolvers<T>()
      return waiter.promise
    },
    say(value: T): void {
      if (waiter) waiter.resolve(value)
      else ready.push(value)
      waiter = undefined
    },
    fail(error: Error): void {
      waiter?.reject(error)
      waiter = undefined
    },
  }
}
