import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MINUTE_MS } from '../../core/time.ts'
import { HOSTILE, START_MS, someTrades, tradeAt } from '../../testing/signals/indicator-events.ts'
import { createVolumeSpike } from './volume-spike.ts'

test('a steady market reads 1 from the first reading on', () => {
  const spike = createVolumeSpike()
  for (let atMs = 0; atMs < 180 * MINUTE_MS; atMs += 100) {
    spike.trade(tradeAt(atMs, { size: 2 }))
    const isWarm = atMs >= 5 * MINUTE_MS
    if (isWarm && atMs % MINUTE_MS === 0) expect(spike.read(START_MS + atMs)).toBeCloseTo(1, 2)
  }
})

test('a minute of tenfold volume reads as the decayed rates say, and fades', () => {
  const spike = createVolumeSpike()
  const hours = 10
  for (let atMs = 0; atMs < hours * 60 * MINUTE_MS; atMs += 1_000) spike.trade(tradeAt(atMs, { size: 1 }))
  const calmMs = hours * 60 * MINUTE_MS
  for (let atMs = 0; atMs < MINUTE_MS; atMs += 1_000) spike.trade(tradeAt(calmMs + atMs, { size: 10 }))
  const fast = 1 + 9 * (1 - 1 / Math.E)
  const slow = 1 + 9 * (1 - Math.exp(-1 / 60))
  expect(spike.read(START_MS + calmMs + MINUTE_MS)).toBeCloseTo(fast / slow, 1)
  expect(spike.read(START_MS + calmMs + 5 * MINUTE_MS)).toBeLessThan(0.2)
})

test('it is warm five minutes after the first trade', () => {
  const spike = createVolumeSpike()
  expect(spike.read(START_MS)).toBeUndefined()
  for (let atMs = 0; atMs < 5 * MINUTE_MS; atMs += 1_000) spike.trade(tradeAt(atMs))
  expect(spike.read(START_MS + 5 * MINUTE_MS - 1)).toBeUndefined()
  expect(spike.read(START_MS + 5 * MINUTE_MS)).toBeCloseTo(1, 1)
})

test('a silence of months is no reading', () => {
  const spike = createVolumeSpike()
  spike.trade(tradeAt(0))
  expect(spike.read(START_MS + 90 * 24 * 60 * MINUTE_MS)).toBeUndefined()
})

test('what cannot be a trade changes nothing', () => {
  const [spike, plain] = [createVolumeSpike(), createVolumeSpike()]
  for (let atMs = 0; atMs <= 6 * MINUTE_MS; atMs += 1_000) {
    plain.trade(tradeAt(atMs))
    spike.trade(tradeAt(atMs))
    for (const bad of HOSTILE) spike.trade(tradeAt(atMs, { size: bad }))
    spike.trade({ ...tradeAt(0), atMs: Number.POSITIVE_INFINITY })
  }
  const reading = plain.read(START_MS + 6 * MINUTE_MS)
  expect(reading).toBeDefined()
  expect(spike.read(START_MS + 6 * MINUTE_MS)).toBe(reading)
})

test('it is the ratio of both decayed rates, and knows neither price nor the unit of size', () => {
  fc.assert(
    fc.property(someTrades, fc.integer({ min: 0, max: 120_000 }), (trades, waitMs) => {
      const options = { fastMs: 5_000, slowMs: 60_000, warmAfterMs: 10_000 }
      const [plain, scaled] = [createVolumeSpike(options), createVolumeSpike(options)]
      for (const trade of trades) {
        plain.trade(trade)
        scaled.trade({ ...trade, price: trade.price * 3, size: trade.size * 1024 })
      }
      const firstMs = trades[0]?.atMs ?? 0
      const nowMs = Math.max(...trades.map(({ atMs }) => atMs)) + waitMs
      const reading = plain.read(nowMs)
      expect(scaled.read(nowMs)).toBe(reading)
      if (nowMs - firstMs < 10_000) {
        expect(reading).toBeUndefined()
        return
      }
      const rate = (constantMs: number) =>
        trades.reduce((sum, { size, atMs }) => sum + size * Math.exp((atMs - nowMs) / constantMs), 0) /
        (constantMs * (1 - Math.exp((firstMs - nowMs) / constantMs)))
      const expected = rate(5_000) / rate(60_000)
      expect(Math.abs((reading ?? Number.NaN) - expected)).toBeLessThan(1e-9)
      expect(reading).toBeGreaterThanOrEqual(0)
    }),
  )
})
