import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MINUTE_MS } from '../../core/time/time.ts'
import { HOSTILE, START_MS, someTrades, tradeAt } from '../../testing/signals/indicator-events.ts'
import { createVolumeSpike, type VolumeSpike } from './volume-spike.ts'

/** One trade a second for `minutes`, and the minutes closed with their volume. */
function trade(spike: VolumeSpike, fromMinute: number, minutes: number, size: number): void {
  for (let minute = fromMinute; minute < fromMinute + minutes; minute++) {
    for (let at = 0; at < 60; at++) spike.trade(tradeAt(minute * MINUTE_MS + at * 1_000, { size }))
    spike.minute(60 * size)
  }
}

test('a steady market reads 1 from the first reading on', () => {
  const spike = createVolumeSpike()
  for (let minute = 1; minute <= 180; minute++) {
    trade(spike, minute - 1, 1, 2)
    const reading = spike.read(START_MS + minute * MINUTE_MS)
    if (minute < 5) expect(reading).toBeUndefined()
    else expect(reading).toBeCloseTo(1, 1)
  }
})

test('a minute of tenfold volume reads as both averages say, and fades', () => {
  const spike = createVolumeSpike()
  trade(spike, 0, 600, 1)
  trade(spike, 600, 1, 10)
  const recent = 1 + 9 * (1 - 1 / Math.E)
  const usual = 1 + 9 * (1 - Math.exp(-1 / 60))
  expect(spike.read(START_MS + 601 * MINUTE_MS)).toBeCloseTo(recent / usual, 1)
  for (let minute = 0; minute < 4; minute++) spike.minute(0)
  expect(spike.read(START_MS + 605 * MINUTE_MS)).toBeLessThan(0.2)
})

test('it says what it lacks: closed minutes, a minute of trades, any volume', () => {
  const spike = createVolumeSpike()
  const why = (atMs: number) => spike.whyUnknown(START_MS + atMs)
  for (let minute = 0; minute < 4; minute++) spike.minute(60)
  expect(why(0)).toBe('fewer than 5 closed minutes are known')
  spike.minute(60)
  expect(why(0)).toBe('no trades are known yet')
  spike.trade(tradeAt(0))
  expect(why(MINUTE_MS - 1)).toBe('trades are known of less than the 60 seconds it needs')
  expect(spike.read(START_MS + MINUTE_MS - 1)).toBeUndefined()
  expect(why(MINUTE_MS)).toBeUndefined()
  expect(spike.read(START_MS + MINUTE_MS)).toBeGreaterThan(0)
  const silent = createVolumeSpike()
  silent.trade(tradeAt(0))
  for (let minute = 0; minute < 9; minute++) silent.minute(0)
  expect(silent.whyUnknown(START_MS + 9 * MINUTE_MS)).toBe('nothing was traded in the last hours')
})

test('an impossible trade or volume changes nothing', () => {
  const [spike, plain] = [createVolumeSpike(), createVolumeSpike()]
  for (let minute = 0; minute < 6; minute++) {
    trade(plain, minute, 1, 1)
    trade(spike, minute, 1, 1)
    for (const bad of HOSTILE) spike.trade(tradeAt(minute * MINUTE_MS, { size: bad }))
    for (const bad of HOSTILE) if (bad !== 0) spike.minute(bad)
    spike.trade({ ...tradeAt(0), atMs: Number.POSITIVE_INFINITY })
  }
  const reading = plain.read(START_MS + 6 * MINUTE_MS)
  expect(reading).toBeDefined()
  expect(spike.read(START_MS + 6 * MINUTE_MS)).toBe(reading)
})

test('it is the ratio of both averages, and knows neither price nor the unit of size', () => {
  const volumes = fc.array(fc.double({ min: 0.01, max: 1e6, noNaN: true }), { minLength: 5, maxLength: 200 })
  fc.assert(
    fc.property(someTrades, volumes, fc.integer({ min: 0, max: 120_000 }), (trades, minutes, waitMs) => {
      const [plain, scaled] = [createVolumeSpike(), createVolumeSpike()]
      for (const each of trades) {
        plain.trade(each)
        scaled.trade({ ...each, price: each.price * 3, size: each.size * 1024 })
      }
      for (const volume of minutes) {
        plain.minute(volume)
        scaled.minute(volume * 1024)
      }
      const firstMs = trades[0]?.atMs ?? 0
      const nowMs = Math.max(...trades.map(({ atMs }) => atMs)) + waitMs
      const reading = plain.read(nowMs)
      expect(scaled.read(nowMs)).toBe(reading)
      if (nowMs - firstMs < MINUTE_MS) {
        expect(reading).toBeUndefined()
        return
      }
      const weighed = (age: number) => Math.exp(-age / MINUTE_MS)
      const recent =
        trades.reduce((sum, { size, atMs }) => sum + size * weighed(nowMs - atMs), 0) /
        (1 - weighed(nowMs - firstMs))
      const weights = minutes.map((_, at) => Math.exp((at + 1 - minutes.length) / 60))
      const usual =
        minutes.reduce((sum, volume, at) => sum + volume * (weights[at] ?? 0), 0) /
        weights.reduce((sum, weight) => sum + weight, 0)
      expect((reading ?? Number.NaN) / (recent / usual)).toBeCloseTo(1, 9)
    }),
  )
})
