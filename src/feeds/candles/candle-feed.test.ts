import { setImmediate as nextTurn } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createManualClock } from '../../core/time/manual-clock.ts'
import type { Kline } from '../events.ts'
import { createCandleFeed } from './candle-feed.ts'

const MINUTE_MS = 60_000
const START_MS = Date.UTC(2026, 0, 5, 12)

const HISTORY_MIN = 26 * 60

/** A venue that has the candles of all minutes up to the running one, and a feed whose trades cover `whole` minutes. */
function world() {
  const clock = createManualClock(START_MS + 1_000)
  const seeded: number[] = []
  const lost: number[] = []
  const asked: [number, number][] = []
  const venue = { isDown: false, isClean: true, behindMs: 0, has: (_: number) => true }
  const whole = new Set<number>()
  const minuteOf = (openMs: number) => (openMs - START_MS) / MINUTE_MS
  const klines = async (_: unknown, fromMs: number, toMs: number) => {
    asked.push([minuteOf(fromMs), minuteOf(toMs)])
    if (venue.isDown) throw new Error('down')
    const venueMs = clock.now() - venue.behindMs
    const count = (Math.min(toMs, venueMs) - fromMs) / MINUTE_MS
    const rows = Array.from({ length: Math.max(0, Math.ceil(count)) }, (_unused, at) =>
      klineAt(fromMs + at * MINUTE_MS),
    )
    return {
      klines: rows.filter(({ openMs }) => venue.has(minuteOf(openMs))),
      isClean: venue.isClean,
      venueMs,
    }
  }
  const feed = createCandleFeed({
    clock,
    client: { venue: 'coinbase', klines },
    coin: 'BTC',
    sink: {
      kline: ({ openMs }) => seeded.push(minuteOf(openMs)),
      minuteLost: ({ openMs }) => lost.push(minuteOf(openMs)),
    },
    run: { covers: (fromMs) => whole.has(minuteOf(fromMs)) },
    random: () => 0.5,
    signal: new AbortController().signal,
    log: pino({ level: 'silent' }),
  })
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 1_000) {
      clock.advance(1_000)
      feed.check()
      await nextTurn()
    }
  }
  /** With the history read. */
  const start = async () => {
    feed.check()
    await pass(5_000)
    seeded.splice(0)
    asked.splice(0)
  }
  return { clock, feed, venue, whole, seeded, lost, asked, pass, start }
}

test('history is read at start, and the minute that has only just closed a moment later', async () => {
  const { feed, seeded, pass } = world()
  feed.check()
  await nextTurn()
  expect(seeded).toHaveLength(HISTORY_MIN - 1)
  expect(seeded.at(-1)).toBe(-2)
  await pass(5_000)
  expect(seeded.at(-1)).toBe(-1)
})

test('a minute that trades show to be whole is not read; every other one is', async () => {
  const { seeded, asked, whole, pass, start } = world()
  await start()
  whole.add(0).add(2)
  await pass(4 * MINUTE_MS)
  expect(seeded).toEqual([1, 3])
  expect(asked).toEqual([
    [1, 3],
    [3, 5],
  ])
})

test('a minute is read until it is known, seldom enough while the venue is down', async () => {
  const { venue, seeded, asked, lost, pass, start } = world()
  await start()
  venue.isDown = true
  await pass(10 * MINUTE_MS)
  expect(asked.length).toBeGreaterThan(50)
  expect(asked.length).toBeLessThan(100)
  venue.isDown = false
  await pass(12_000)
  expect(seeded).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  expect(lost).toEqual([])
})

test('a candle that the venue may still change is not taken, whatever our own clock says', async () => {
  const { venue, seeded, pass, start } = world()
  venue.behindMs = 20_000
  await start()
  await pass(MINUTE_MS)
  expect(seeded.at(-1)).toBe(-1)
  await pass(10_000)
  expect(seeded.at(-1)).toBe(-1)
  await pass(20_000)
  expect(seeded.at(-1)).toBe(0)
})

test('a minute that the venue denies, though it has a later one, is lost after a few clean replies', async () => {
  const { venue, lost, asked, pass, start } = world()
  await start()
  venue.has = (minute) => minute !== 0
  venue.isClean = false
  await pass(90_000)
  expect(lost).toEqual([])
  venue.isClean = true
  await pass(MINUTE_MS)
  expect(lost).toEqual([0])
  asked.splice(0)
  await pass(30_000)
  expect(asked.length).toBeLessThan(3)
})

test('an empty reply denies nothing', async () => {
  const { venue, lost, seeded, feed, pass } = world()
  venue.has = () => false
  feed.check()
  await pass(5 * MINUTE_MS)
  expect(lost).toEqual([])
  venue.has = () => true
  await pass(12_000)
  expect(seeded.length).toBeGreaterThanOrEqual(HISTORY_MIN)
})

test('a minute that cannot be read for long is given up when trades show later ones to be whole', async () => {
  const { venue, whole, lost, pass, start } = world()
  await start()
  venue.isDown = true
  for (let minute = 1; minute < 30; minute++) whole.add(minute)
  await pass(9 * MINUTE_MS)
  expect(lost).toEqual([])
  await pass(3 * MINUTE_MS)
  expect(lost).toEqual([0])
})

function klineAt(openMs: number): Kline {
  const prices = { open: 1, high: 1, low: 1, close: 1 }
  return {
    venue: 'coinbase',
    coin: 'BTC',
    openMs,
    ...prices,
    volume: 1,
    takerBuyVolume: undefined,
    trades: undefined,
  }
}
