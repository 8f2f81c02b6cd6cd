import { expect, test } from 'vitest'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { createHearing } from './hearing.ts'

function world({ apartMs = 7_000_000 } = {}) {
  const clock = createManualClock(1_000_000)
  return { clock, hearing: createHearing(clock), engineMs: () => clock.now() + apartMs }
}

test('nothing was heard at first', () => {
  expect(world().hearing.ageMs()).toBe(Number.POSITIVE_INFINITY)
})

test.each([-7_000_000, 0, 7_000_000])('clocks may be apart by %i ms', (apartMs) => {
  const { clock, hearing, engineMs } = world({ apartMs })
  hearing.heard(engineMs(), 0)
  expect(hearing.ageMs()).toBe(0)
  clock.advance(1_500)
  expect(hearing.ageMs()).toBe(1_500)
})

test('what was on its way for long is as old as that, once anything came fast', () => {
  const { clock, hearing, engineMs } = world()
  hearing.heard(engineMs() - 20, 0)
  const sentMs = engineMs()
  clock.advance(5_000)
  hearing.heard(sentMs, 0)
  expect(hearing.ageMs()).toBeGreaterThanOrEqual(4_980)
})

test('what lay in Redis is as old as that, even where it is the first that is heard', () => {
  const { clock, hearing, engineMs } = world()
  const sentMs = engineMs()
  clock.advance(60_000)
  hearing.heard(sentMs, 60_000)
  expect(hearing.ageMs()).toBe(60_000)
})

test('an old word does not make a newer one older', () => {
  const { clock, hearing, engineMs } = world()
  const oldMs = engineMs()
  clock.advance(3_000)
  hearing.heard(engineMs(), 0)
  hearing.heard(oldMs, 3_000)
  expect(hearing.ageMs()).toBe(0)
})

test('clocks that drift apart are followed, and another engine has another clock', () => {
  const { clock, hearing, engineMs } = world()
  let driftMs = 0
  for (let minute = 0; minute < 60; minute++) {
    clock.advance(60_000)
    driftMs += 50
    hearing.heard(engineMs() - driftMs, 0)
    expect(hearing.ageMs()).toBeLessThan(600)
  }
  hearing.restart()
  hearing.heard(5, 0)
  expect(hearing.ageMs()).toBe(0)
})

test('a clock of Redis that was set forward makes an engine that speaks look old for two minutes at most', () => {
  const { clock, hearing, engineMs } = world()
  hearing.heard(engineMs(), 0)
  // It was there before the clock was set, and was read after.
  hearing.heard(engineMs(), 10_000)
  let oldForMs = 0
  for (let second = 0; second < 180; second++) {
    clock.advance(1_000)
    hearing.heard(engineMs(), 0)
    if (hearing.ageMs() > 2_000) oldForMs = (second + 1) * 1_000
  }
  expect(oldForMs).toBeGreaterThan(0)
  expect(oldForMs).toBeLessThanOrEqual(121_000)
})
