import fc from 'fast-check'
import { expect, test } from 'vitest'
import { HOSTILE, START_MS, someTrades, tradeAt } from '../../testing/signals/indicator-events.ts'
import { createAggressorRatio } from './aggressor-ratio.ts'

test('it is the share of the volume that takers bought, the newest weighing most', () => {
  const ratio = createAggressorRatio()
  ratio.trade(tradeAt(0, { size: 6, side: 'sell' }))
  ratio.trade(tradeAt(60_000, { size: 3, side: 'buy' }))
  ratio.trade(tradeAt(60_000, { size: 1, side: 'sell' }))
  expect(ratio.read(START_MS + 60_000)).toBeCloseTo(3 / (4 + 6 / Math.E), 12)
})

test('buyers only is 1 and sellers only is 0', () => {
  for (const [side, expected] of [
    ['buy', 1],
    ['sell', 0],
  ] as const) {
    const ratio = createAggressorRatio()
    for (let at = 0; at < 100; at++) ratio.trade(tradeAt(at * 1_000, { side, size: 0.1 + at }))
    expect(ratio.read(START_MS + 100_000)).toBe(expected)
  }
})

test('it is known after one time constant, through a pause, and until five of silence', () => {
  const ratio = createAggressorRatio()
  expect(ratio.read(START_MS)).toBeUndefined()
  ratio.trade(tradeAt(0, { size: 1 }))
  ratio.trade(tradeAt(1, { size: 3, side: 'sell' }))
  expect(ratio.read(START_MS + 59_999)).toBeUndefined()
  expect(ratio.read(START_MS + 60_000)).toBeCloseTo(0.25, 4)
  expect(ratio.read(START_MS + 300_001)).toBeCloseTo(0.25, 4)
  expect(ratio.read(START_MS + 300_002)).toBeUndefined()
  expect(ratio.whyUnknown(START_MS + 59_999)).toMatch('less than the 60 seconds')
  expect(ratio.whyUnknown(START_MS + 60_000)).toBeUndefined()
  expect(ratio.whyUnknown(START_MS + 300_002)).toBe('the last trade is too long ago')
})

test('an impossible trade changes nothing', () => {
  const ratio = createAggressorRatio()
  ratio.trade(tradeAt(0, { size: 1 }))
  ratio.trade(tradeAt(0, { size: 3, side: 'sell' }))
  for (const bad of HOSTILE) {
    ratio.trade(tradeAt(10, { size: bad }))
    ratio.trade({ ...tradeAt(0), atMs: Number.NaN })
  }
  expect(ratio.read(START_MS + 60_000)).toBe(0.25)
})

test('it stays within 0..1, knows neither price nor the unit of size, and sides make a whole', () => {
  fc.assert(
    fc.property(someTrades, (trades) => {
      const [plain, scaled, mirrored] = [
        createAggressorRatio(),
        createAggressorRatio(),
        createAggressorRatio(),
      ]
      let newestMs = 0
      for (const trade of trades) {
        plain.trade(trade)
        scaled.trade({ ...trade, price: trade.price * 7, size: trade.size * 1024 })
        mirrored.trade({ ...trade, side: trade.side === 'buy' ? 'sell' : 'buy' })
        newestMs = Math.max(newestMs, trade.atMs)
        const reading = plain.read(newestMs)
        expect(scaled.read(newestMs)).toBe(reading)
        if (reading === undefined) continue
        expect(reading).toBeGreaterThanOrEqual(0)
        expect(reading).toBeLessThanOrEqual(1)
        expect(mirrored.read(newestMs)).toBeCloseTo(1 - reading, 12)
      }
    }),
  )
})
