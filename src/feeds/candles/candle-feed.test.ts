import { setImmediate as nextTurn } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createManualClock } from '../../core/time/manual-clock.ts'
import type { Kline } from '../events.ts'
import { createCandleFeed } from './candle-feed.ts'

const MINUTE_MS = 60_000
const START_MS = Date.UTC(2026, 0, 5, 12)

function world(hasMinute: (openMs: number) => boolean = () => true) {
  const clock = createManualClock(START_MS)
  const seeded: number[] = []
  const asked: [number, number][] = []
  let isDown = false
  const klines = async (_: unknown, fromMs: number, toMs: number): Promise<Kline[]> => {
    asked.push([fromMs, toMs])
    if (isDown) throw new Error('down')
    const count = (toMs - fromMs) / MINUTE_MS
    return Array.from({ length: count }, (_unused, at) => klineAt(fromMs + at * MINUTE_MS)).filter(
      ({ openMs }) => hasMinute(openMs),
    )
  }
  const feed = createCandleFeed({
    clock,
    client: { venue: 'coinbase', klines },
    coin: 'BTC',
    sink: { kline: ({ openMs }) => seeded.push(openMs) },
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
  const setDown = (down: boolean) => {
    isDown = down
  }
  return { clock, feed, seeded, asked, pass, setDown }
}

test('history is read at start, except the minute that has only just closed', async () => {
  const { feed, seeded } = world()
  await feed.seed()
  expect(seeded).toHaveLength(26 * 60 - 1)
  expect(seeded.at(-1)).toBe(START_MS - 2 * MINUTE_MS)
})

test('an incomplete minute is read again once it is closed, also after failures', async () => {
  const { feed, seeded, pass, setDown } = world()
  feed.reread(START_MS + 10_000, START_MS + 10_000)
  await pass(62_000)
  expect(seeded).toEqual([])
  setDown(true)
  await pass(30_000)
  setDown(false)
  await pass(15_000)
  expect(seeded).toEqual([START_MS])
})

test('a minute that the venue does not return is given up after a few tries', async () => {
  const { feed, asked, pass } = world(() => false)
  feed.reread(START_MS, START_MS)
  await pass(300_000)
  expect(asked).toHaveLength(5)
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
