import { expect, test } from 'vitest'
import { createManualClock } from '../../../core/time/manual-clock.ts'
import { LOOKS_AT_OPEN } from './limits.ts'
import { createOpenPayments } from './open-payments.ts'

const row = (key: string, payer = 'payer') => ({ key, payer })

test('payments are counted for their payer once each, until they are decided', () => {
  const open = createOpenPayments({ clock: createManualClock(0) })
  for (const key of ['a', 'a', 'b']) open.note(row(key))
  open.note(row('c', 'another'))
  expect([open.countOf('payer'), open.countOf('another'), open.countOf('nobody')]).toEqual([2, 1, 0])
  open.drop('a', 'void')
  open.drop('a', 'void')
  expect(open.countOf('payer')).toBe(1)
})

test('what was to be done if it is paid is done only then', () => {
  const open = createOpenPayments({ clock: createManualClock(0) })
  const done: string[] = []
  for (const key of ['a', 'b']) {
    open.note(row(key))
    open.onSettled(key, () => done.push(key))
  }
  open.drop('a', 'void')
  open.drop('b', 'settled')
  expect(done).toEqual(['b'])
})

test('the buyer of an open payment gets a number of looks in a time; what is not open is not counted', () => {
  const clock = createManualClock(0)
  const open = createOpenPayments({ clock })
  const looks = () => Array.from({ length: 2 * LOOKS_AT_OPEN.calls }, () => open.mayLook('a')).filter(Boolean)
  expect(looks()).toHaveLength(2 * LOOKS_AT_OPEN.calls)
  open.note(row('a'))
  expect(looks()).toHaveLength(LOOKS_AT_OPEN.calls)
  clock.advance(LOOKS_AT_OPEN.windowMs)
  expect(looks()).toHaveLength(LOOKS_AT_OPEN.calls)
})

test('it is sent again at once, then after 2, 4, 8 and 15 s', () => {
  const clock = createManualClock(0)
  const open = createOpenPayments({ clock })
  open.note(row('a'))
  const sentAtS: number[] = []
  for (let second = 0; second <= 44; second++) {
    if (open.maySend('a')) sentAtS.push(second)
    clock.advance(1_000)
  }
  expect(sentAtS).toEqual([0, 2, 6, 14, 29, 44])
})
