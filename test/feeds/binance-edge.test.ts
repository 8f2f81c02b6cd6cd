import { expect, onTestFinished, test } from 'vitest'
import type { Level } from '../../src/core/level.ts'
import { createManualClock } from '../../src/core/time/manual-clock.ts'
import { openSocket } from '../../src/feeds/open-socket.ts'
import { createBinanceClient } from '../../src/feeds/venues/binance/client.ts'
import { BookSequenceError } from '../../src/feeds/venues/venue-client.ts'
import { createHostGates } from '../../src/upstreams/rules/host-gate.ts'
import { drained, failureOf, startLoopbackVenue, until } from './loopback-venue.ts'

const START_MS = Date.UTC(2026, 0, 5, 12)
const BOOK_LEVELS = 20
/** In cents; the venue's book has one level at each of the 3,000 next to it. */
const MIDDLE = 10_000_000

type Rows = readonly (readonly [cents: number, size: number])[]

/** A venue that knows its whole book and sends, as Binance does, snapshots of 1,000 levels. */
async function start() {
  const venue = await startLoopbackVenue()
  const clock = createManualClock(START_MS)
  const watch = { malformed() {}, silent() {} }
  const client = createBinanceClient({
    ...venue,
    clock,
    gates: createHostGates({ clock, random: () => 0 }),
    random: () => 0,
    watch,
    openSocket,
    isPaced: false,
  })
  onTestFinished(() => client.close())
  const bids = new Map<number, number>()
  const asks = new Map<number, number>()
  for (let at = 1; at <= 3_000; at++) {
    bids.set(MIDDLE - at, 1)
    asks.set(MIDDLE + at, 1)
  }
  const best = (side: Map<number, number>, direction: number, count: number) =>
    [...side].sort(([a], [b]) => direction * (a - b)).slice(0, count)
  const wire = (rows: Rows) => rows.map(([cents, size]) => [(cents / 100).toFixed(2), String(size)])
  let lastId = 100
  const knowSnapshots = () =>
    venue.onAsked((_, response) => {
      const sides = { bids: wire(best(bids, -1, 1_000)), asks: wire(best(asks, 1, 1_000)) }
      response.end(JSON.stringify({ lastUpdateId: lastId, ...sides }))
    })
  const change = (rows: Rows) => {
    for (const [cents, size] of rows) size === 0 ? bids.delete(cents) : bids.set(cents, size)
    lastId++
    const ids = { U: lastId, u: lastId }
    venue.say({ e: 'depthUpdate', E: START_MS + lastId, s: 'BTCUSDT', ...ids, b: wire(rows), a: [] })
  }
  /** Takes away the best `count` bids and leaves some that rest far below. */
  const fall = async (count: number) => {
    const eaten = best(bids, -1, count).map(([cents]) => [cents, 0] as const)
    change([...eaten, [MIDDLE - 1_500, 1.5], [MIDDLE - 1_400, 1.5]])
    await drained(venue.connections.at(-1))
  }
  const trueBids = (): Level[] => best(bids, -1, BOOK_LEVELS).map(([cents, size]) => [cents / 100, size])
  knowSnapshots()
  const first = client.watchBook('BTC')
  await until(() => venue.received.length === 1)
  change([[MIDDLE - 1, 2]])
  await first
  return { ...venue, client, clock, change, fall, trueBids, knowSnapshots }
}

test('when the price nears the edge of the snapshot a new one is read, and the book stays true', async () => {
  const { client, clock, fall, trueBids, asked, received } = await start()
  for (let snapshots = 1; snapshots < 4; snapshots++) {
    clock.advance(6_000)
    await fall(650)
    expect((await client.watchBook('BTC')).bids).toEqual(trueBids())
    expect(asked).toHaveLength(snapshots)
    await fall(100)
    expect((await client.watchBook('BTC')).bids).toEqual(trueBids())
    // The book of the new snapshot.
    expect((await client.watchBook('BTC')).bids).toEqual(trueBids())
    expect(asked).toHaveLength(snapshots + 1)
  }
  expect(received).toHaveLength(1)
})

test('a book whose levels are not all known is never handed on, also while REST refuses', async () => {
  const { client, clock, fall, trueBids, asked, onAsked, knowSnapshots, change, received } = await start()
  onAsked((_, response) => response.writeHead(503).end('{}'))
  let isLost = false
  for (let fallen = 0; fallen < 1_100 && !isLost; fallen += 100) {
    clock.advance(1_000)
    await fall(100)
    const watched = await client.watchBook('BTC').catch((error: unknown) => error)
    isLost = watched instanceof BookSequenceError
    if (!isLost) expect(watched).toMatchObject({ bids: trueBids() })
  }
  expect(isLost).toBe(true)
  // Asked every five seconds only, however often the book changed.
  expect(asked.length).toBeLessThan(5)

  knowSnapshots()
  const healed = client.watchBook('BTC')
  await until(() => received.length === 3)
  change([[MIDDLE - 1_500, 3]])
  expect((await healed).bids).toEqual(trueBids())
})

test('a change beyond the edge does not pass for a level of the book', async () => {
  const { client, clock, change, fall, onAsked } = await start()
  onAsked((_, response) => response.writeHead(503).end('{}'))
  clock.advance(6_000)
  change([[MIDDLE - 1_100, 9]])
  await fall(990)
  expect(await failureOf(drain(client.watchBook))).toBeInstanceOf(BookSequenceError)
})

/** Reads books until one is refused. */
async function drain(watchBook: (coin: 'BTC') => Promise<unknown>): Promise<never> {
  for (;;) await watchBook('BTC')
}
