import { expect, it } from 'vitest'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../core/time/time.ts'
import { createLiquidationTally } from './liquidation-tally.ts'

const START_MS = Date.UTC(2026, 4, 6, 13)
const HOUR = { fromMinutes: 60, toMinutes: 0 }
const DAY = { fromMinutes: 1_440, toMinutes: 0 }

function open() {
  const clock = createManualClock(START_MS)
  const tally = createLiquidationTally({ clock })
  const note = (usd: number, atMs = clock.now(), side: 'long' | 'short' = 'long') =>
    tally.note({ coin: 'BTC', side, usd, atMs })
  return { clock, tally, note }
}

it('keeps the sides and the coins apart', () => {
  const { tally, note } = open()
  note(100)
  note(30, START_MS, 'short')
  expect(tally.sum('BTC', HOUR)).toEqual({ longUsd: 100, shortUsd: 30, count: 2 })
  expect(tally.sum('ETH', HOUR)).toEqual({ longUsd: 0, shortUsd: 0, count: 0 })
})

it('lets the hour and the day pass by whole minutes', () => {
  const { clock, tally, note } = open()
  note(100)
  clock.advance(59 * MINUTE_MS)
  expect(tally.sum('BTC', HOUR).longUsd).toBe(100)
  clock.advance(MINUTE_MS)
  expect(tally.sum('BTC', HOUR).longUsd).toBe(0)
  expect(tally.sum('BTC', { fromMinutes: 1_440, toMinutes: 60 }).longUsd).toBe(100)
  clock.advanceTo(START_MS + 24 * HOUR_MS - 1)
  expect(tally.sum('BTC', DAY).longUsd).toBe(100)
  clock.advance(1)
  expect(tally.sum('BTC', DAY).longUsd).toBe(0)
  clock.advance(MINUTE_MS)
  note(7)
  expect(tally.sum('BTC', DAY)).toEqual({ longUsd: 7, shortUsd: 0, count: 1 })
})

it('puts a late one into its own minute, and takes none of the future or of days ago', () => {
  const { clock, tally, note } = open()
  clock.advance(2 * HOUR_MS)
  note(5, START_MS + HOUR_MS - 1)
  note(6, clock.now() + 11 * SECOND_MS)
  note(7, START_MS - 30 * HOUR_MS)
  expect(tally.sum('BTC', HOUR).count).toBe(0)
  expect(tally.sum('BTC', DAY)).toEqual({ longUsd: 5, shortUsd: 0, count: 1 })
})

it('forgets everything when more than a day is slept through', () => {
  const { clock, tally, note } = open()
  note(100)
  tally.listened('okx')
  clock.advance(100 * HOUR_MS)
  expect(tally.sum('BTC', DAY).count).toBe(0)
  expect(tally.sinceMs()).toBeUndefined()
})

it('knows how long it has listened to whom, and since when', () => {
  const { clock, tally } = open()
  expect(tally.sinceMs()).toBeUndefined()
  clock.advance(MINUTE_MS)
  for (let second = 0; second < 90; second++) {
    clock.advance(SECOND_MS)
    tally.listened('okx')
    if (second < 30) tally.listened('bybit')
  }
  expect(tally.listenedMs(HOUR)).toEqual({ binance: 0, bybit: 30_000, okx: 90_000 })
  expect(tally.sinceMs()).toBe(START_MS + MINUTE_MS)
})
