import { expect, test } from 'vitest'
import { createManualClock } from '../../../core/time/manual-clock.ts'
import { createSecondLook } from './second-look.ts'

const ABSENT = { kind: 'dead', isAbsent: true } as const
const OPEN = { kind: 'open' } as const

function open() {
  const clock = createManualClock(0)
  return { clock, look: createSecondLook(clock) }
}

test('what nodes only fail to show is dead when a look some seconds later finds the same', () => {
  const { clock, look } = open()
  expect(look('a', ABSENT)).toEqual(OPEN)
  clock.advance(1_000)
  expect([look('a', ABSENT), look('b', ABSENT)]).toEqual([OPEN, OPEN])
  clock.advance(2_000)
  expect([look('a', ABSENT), look('b', ABSENT)]).toEqual([ABSENT, OPEN])
})

test('a look in between that finds it alive begins anew, and what is shown counts at once', () => {
  const { clock, look } = open()
  expect(look('a', ABSENT)).toEqual(OPEN)
  expect(look('a', OPEN)).toEqual(OPEN)
  clock.advance(60_000)
  expect(look('a', ABSENT)).toEqual(OPEN)
  expect(look('a', { kind: 'dead' })).toEqual({ kind: 'dead' })
  expect(look('a', { kind: 'paid', transaction: '0x1' })).toEqual({ kind: 'paid', transaction: '0x1' })
})
