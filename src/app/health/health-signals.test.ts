import { expect, test } from 'vitest'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { signalAt, signalsOf } from '../../testing/products/hand-made-signals.ts'
import { createRecordWorld, FIRST_S } from '../../testing/record/record-world.ts'
import { createRecordCheck, signalsCheck } from './health-signals.ts'

const NOW_MS = FIRST_S * 1000 + 60_000
const clock = createManualClock(NOW_MS)

test('signals are well when all four are fresh, degraded when some are, down when none is', () => {
  const stateOf = (agesMs: Record<string, number>) =>
    signalsCheck({
      clock,
      signals: signalsOf((coin) => {
        const ageMs = agesMs[coin]
        return ageMs === undefined ? undefined : signalAt(coin, NOW_MS - ageMs)
      }),
    })
  expect(stateOf({ BTC: 0, ETH: 5, SOL: 9_000, XRP: 1 })).toMatchObject({
    needed: false,
    state: 'ok',
    ageMs: 9_000,
    detail: 'fresh signals of 4 of 4 coins',
  })
  expect(stateOf({ BTC: 0, ETH: 11_000, XRP: 0 })).toMatchObject({
    state: 'degraded',
    ageMs: 11_000,
    detail: 'fresh signals of 2 of 4 coins, SOL: made up',
  })
  expect(stateOf({})).toMatchObject({ state: 'down', ageMs: null })
  expect(stateOf({ BTC: 20_000, ETH: 20_000, SOL: 20_000, XRP: 20_000 }).state).toBe('down')
})

test('the record is well as long as heads follow each other', async () => {
  const world = createRecordWorld()
  const check = createRecordCheck({ clock: world.clock, record: world.keeper.reader })
  expect(check()).toMatchObject({ state: 'degraded', detail: 'the record is being read' })
  await world.keeper.start()
  expect(check()).toMatchObject({
    needed: false,
    state: 'ok',
    ageMs: null,
    detail: 'no window was entered yet',
  })
  await world.windows(1)
  expect(check()).toMatchObject({ state: 'ok', ageMs: 3_700, detail: '4 leaves' })
  await world.keeper.stop()
  world.clock.advanceTo(world.clock.now() + 480_000)
  expect(check()).toMatchObject({ state: 'degraded', detail: '4 leaves' })
})

test('an empty record is not well for ever', async () => {
  const world = createRecordWorld()
  const check = createRecordCheck({ clock: world.clock, record: world.keeper.reader })
  await world.keeper.start()
  await world.keeper.stop()
  world.clock.advanceTo(world.clock.now() + 480_000)
  expect(check().state).toBe('ok')
  world.clock.advanceTo(world.clock.now() + 1)
  expect(check()).toMatchObject({ state: 'degraded', detail: 'no window was entered yet' })
})

test('a bug is no state of health', () => {
  const latest = () => {
    throw new Error('a bug')
  }
  expect(createRecordCheck({ clock, record: { latest } })).toThrow('a bug')
})
