import { expect, it } from 'vitest'
import type { Clock } from '../../core/time/clock.ts'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { createBreaker, FIRST_PAUSE_MS, LONGEST_PAUSE_MS, OPENS_AFTER_FAULTS } from './breaker.ts'

function start() {
  const clock = createManualClock(0)
  const breaker = createBreaker({ clock, random: () => 0.5 })
  const fail = (times: number) => {
    for (let time = 0; time < times; time++) breaker.failed()
  }
  return { clock, breaker, fail }
}

it('opens after faults in a row, not after faults with a success between them', () => {
  const { breaker, fail } = start()
  fail(OPENS_AFTER_FAULTS - 1)
  breaker.succeeded()
  fail(OPENS_AFTER_FAULTS - 1)
  expect(breaker.state()).toBe('closed')
  fail(1)
  expect(breaker.state()).toBe('open')
  expect(breaker.enter()).toBe(false)
})

it('lets one probe through after the pause and closes when it succeeds', () => {
  const { clock, breaker, fail } = start()
  fail(OPENS_AFTER_FAULTS)
  clock.advance(FIRST_PAUSE_MS - 1)
  expect(breaker.enter()).toBe(false)
  clock.advance(1)
  expect([breaker.enter(), breaker.enter()]).toEqual([true, false])
  breaker.succeeded()
  expect([breaker.enter(), breaker.enter()]).toEqual([true, true])
})

it('doubles the pause with each failed probe, up to a limit', () => {
  const { clock, breaker, fail } = start()
  fail(OPENS_AFTER_FAULTS)
  const pauses = [FIRST_PAUSE_MS, 10_000, LONGEST_PAUSE_MS, LONGEST_PAUSE_MS]
  for (const pauseMs of pauses) {
    clock.advance(pauseMs - 1)
    expect(breaker.state()).toBe('open')
    clock.advance(1)
    expect(breaker.enter()).toBe(true)
    breaker.failed()
  }
})

it('is not kept open longer by calls that were in flight when it opened', () => {
  const { clock, breaker, fail } = start()
  fail(OPENS_AFTER_FAULTS)
  clock.advance(FIRST_PAUSE_MS - 1)
  fail(5)
  clock.advance(1)
  expect(breaker.enter()).toBe(true)
})

it('is not opened by two payers in turn, whose payloads may be what it fails on', () => {
  const { breaker } = start()
  for (let time = 0; time < 10; time++) for (const payer of ['odd', 'another']) breaker.failed(payer)
  expect([breaker.state(), breaker.wouldOpen('odd'), breaker.wouldOpen('third')]).toEqual([
    'closed',
    false,
    true,
  ])
  breaker.failed('third')
  expect(breaker.state()).toBe('open')
})

it('opens for a payer after faults that no payload makes', () => {
  const { breaker, fail } = start()
  fail(OPENS_AFTER_FAULTS - 1)
  breaker.failed('first')
  expect(breaker.state()).toBe('open')
})

it('gives the probe to the next one where the payer of the last fault fails again', () => {
  const { clock, breaker } = start()
  for (const payer of ['first', 'second', 'odd']) breaker.failed(payer)
  clock.advance(FIRST_PAUSE_MS)
  expect(breaker.enter()).toBe(true)
  breaker.failed('odd')
  expect([breaker.state(), breaker.enter()]).toEqual(['half_open', true])
  breaker.failed('another')
  expect(breaker.state()).toBe('open')
})

it('is told later of calls since its last turn only, and gives their place away meanwhile', () => {
  const { clock, breaker } = start()
  const late = ['first', 'second', 'third', 'fourth'].map(
    (payer) => [payer, breaker.judgedLater(clock.now())] as const,
  )
  breaker.succeeded()
  expect(late.map(([payer, countFailed]) => countFailed(payer))).toEqual([false, false, false, false])
  expect(breaker.isSound()).toBe(true)
  const inTime = late.map(([payer]) => [payer, breaker.judgedLater(clock.now())] as const)
  expect(inTime.map(([payer, countFailed]) => countFailed(payer))).toEqual([true, true, true, false])
  expect(breaker.state()).toBe('open')
  clock.advance(FIRST_PAUSE_MS)
  expect(breaker.enter()).toBe(true)
  const probe = breaker.judgedLater(clock.now())
  expect(breaker.enter()).toBe(true)
  // Another one is out: on a busy day one always is, and where it succeeds that closes it all the same.
  expect([probe('probe'), breaker.state()]).toEqual([true, 'open'])
  // Of before it opened, and answered since.
  const ofBefore = breaker.judgedLater(clock.now())
  clock.advance(LONGEST_PAUSE_MS)
  expect([ofBefore('fifth'), breaker.state(), breaker.mayEnter()]).toEqual([false, 'half_open', true])
})

it('is not told of a call that was sent before it opened, however late the answer', () => {
  const { clock, breaker, fail } = start()
  const sentMs = clock.now()
  clock.advance(1)
  fail(OPENS_AFTER_FAULTS)
  clock.advance(FIRST_PAUSE_MS)
  const countFailed = breaker.judgedLater(sentMs)
  expect(breaker.enter()).toBe(true)
  expect([countFailed('payer'), breaker.state()]).toEqual([false, 'half_open'])
})

it('keeps the place of the probe that is out where a call that is judged later opens nothing', () => {
  const { clock, breaker } = start()
  for (const payer of ['first', 'second', 'same']) breaker.failed(payer)
  clock.advance(FIRST_PAUSE_MS)
  expect(breaker.enter()).toBe(true)
  const countFailed = breaker.judgedLater(clock.now())
  expect(breaker.enter()).toBe(true)
  expect([countFailed('same'), breaker.state(), breaker.mayEnter()]).toEqual([true, 'half_open', false])
  breaker.failed('another')
  expect(breaker.state()).toBe('open')
})

it('does not stay open for the time by which a clock is set back', () => {
  const clock = createManualClock(3_600_000)
  let backMs = 0
  const breaker = createBreaker({ clock: { now: () => clock.now() - backMs } as Clock, random: () => 0.5 })
  for (let fault = 0; fault < OPENS_AFTER_FAULTS; fault++) breaker.failed()
  expect(breaker.state()).toBe('open')
  backMs = 3_600_000
  expect(breaker.state()).toBe('half_open')
  // Nor is what was sent since taken for older than that pause.
  breaker.succeeded()
  for (const payer of ['first', 'second', 'third']) breaker.judgedLater(clock.now() - backMs)(payer)
  expect(breaker.state()).toBe('open')
})
