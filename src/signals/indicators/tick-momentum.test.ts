import fc from 'fast-check'
import { expect, test } from 'vitest'
import { HOSTILE, START_MS, someTrades, tradeAt } from '../../testing/signals/indicator-events.ts'
import { createTickMomentum } from './tick-momentum.ts'

test('only rises is 1, only falls is -1, and trades at the same price say nothing', () => {
  for (const [step, expected] of [
    [1, 1],
    [-1, -1],
  ] as const) {
    const momentum = createTickMomentum()
    for (let at = 0; at <= 40; at++) {
      momentum.trade(tradeAt(at * 1_000, { price: 100 + step * at }))
      momentum.trade(tradeAt(at * 1_000, { price: 100 + step * at, size: 50, side: 'sell' }))
    }
    expect(momentum.read(START_MS + 40_000)).toBe(expected)
  }
})

test('ticks weigh by their age', () => {
  const momentum = createTickMomentum({ timeConstantMs: 10_000 })
  const ticks: readonly (readonly [number, number])[] = [
    [0, 100],
    [5_000, 101],
    [8_000, 102],
    [9_000, 101],
    [10_000, 102],
    [10_000, 103],
  ]
  for (const [atMs, price] of ticks) momentum.trade(tradeAt(atMs, { price }))
  const weight = (ageS: number) => Math.exp(-ageS / 10)
  const up = weight(5) + weight(2) + 2 * weight(0)
  expect(momentum.read(START_MS + 10_000)).toBeCloseTo((up - weight(1)) / (up + weight(1)), 12)
})

test('it is known after one time constant, and fades to 0 in a market that no longer moves', () => {
  const momentum = createTickMomentum()
  expect(momentum.read(START_MS)).toBeUndefined()
  for (let at = 0; at < 20; at++) momentum.trade(tradeAt(at * 100, { price: 100 + at }))
  expect(momentum.read(START_MS + 29_999)).toBeUndefined()
  expect(momentum.read(START_MS + 30_000)).toBe(1)
  const fading = [60, 90, 120, 300].map((second) => momentum.read(START_MS + second * 1_000) ?? Number.NaN)
  expect(fading).toEqual(fading.toSorted((a, b) => b - a))
  expect(fading.at(-1)).toBeCloseTo(0, 3)
  expect(momentum.whyUnknown(START_MS + 29_999)).toMatch('less than the 30 seconds')
  expect(momentum.whyUnknown(START_MS + 30_000)).toBeUndefined()
  expect(momentum.whyUnknown(START_MS + 300_000)).toBeUndefined()
})

test('a price that does not move reads 0, and one that hardly moves is no trend', () => {
  const momentum = createTickMomentum()
  for (let at = 0; at <= 40; at++) momentum.trade(tradeAt(at * 1_000, { price: 100 }))
  expect(momentum.read(START_MS + 40_000)).toBe(0)
  momentum.trade(tradeAt(41_000, { price: 101 }))
  expect(momentum.read(START_MS + 41_000)).toBeCloseTo(1 / 3, 12)
})

test('after a reset it is unknown until trades of one time constant are known again', () => {
  const momentum = createTickMomentum()
  for (let at = 0; at <= 40; at++) momentum.trade(tradeAt(at * 1_000, { price: 100 + at }))
  momentum.reset()
  expect(momentum.read(START_MS + 40_000)).toBeUndefined()
  for (let at = 41; at <= 71; at++) momentum.trade(tradeAt(at * 1_000, { price: 200 - at }))
  expect(momentum.read(START_MS + 71_000)).toBe(-1)
})

test('an impossible trade changes nothing', () => {
  const momentum = createTickMomentum()
  const plain = createTickMomentum()
  for (let at = 0; at <= 40; at++) {
    const trade = tradeAt(at * 1_000, { price: 100 + (at % 5) })
    plain.trade(trade)
    momentum.trade(trade)
    for (const bad of HOSTILE) momentum.trade(tradeAt(at * 1_000, { price: bad }))
    momentum.trade({ ...trade, price: 1, atMs: Number.NaN })
    momentum.trade({ ...trade, price: 1, atMs: Number.POSITIVE_INFINITY })
  }
  expect(plain.read(START_MS + 40_000)).toBeDefined()
  expect(momentum.read(START_MS + 40_000)).toBe(plain.read(START_MS + 40_000))
})

test('it stays within -1..1, does not know the unit of prices, and turns with their sign', () => {
  fc.assert(
    fc.property(someTrades, fc.double({ min: 1e-3, max: 1e3, noNaN: true }), (trades, factor) => {
      const [plain, scaled, mirrored] = [createTickMomentum(), createTickMomentum(), createTickMomentum()]
      let newestMs = 0
      for (const trade of trades) {
        plain.trade(trade)
        scaled.trade({ ...trade, price: trade.price * factor })
        mirrored.trade({ ...trade, price: 200 - trade.price })
        newestMs = Math.max(newestMs, trade.atMs)
        const reading = plain.read(newestMs)
        if (reading !== undefined) expect(Math.abs(reading)).toBeLessThanOrEqual(1)
        expect(scaled.read(newestMs)).toBe(reading)
        if (reading !== undefined) expect(mirrored.read(newestMs)).toBeCloseTo(-reading, 12)
      }
    }),
  )
})
