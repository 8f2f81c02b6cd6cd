import { expect, test } from 'vitest'
import { createManualClock } from '../../../core/time/manual-clock.ts'
import type { PaymentRow } from '../../../ledger/ports/payment-book.ts'
import { ASKS_PER_ROUND } from './limits.ts'
import { createTurns } from './turns.ts'

const rowOf = (key: string) => ({ key }) as PaymentRow

test('a row is asked about at once, then after 2, 4, 8 and 15 s; one that comes later has turns of its own', () => {
  const clock = createManualClock(0)
  const turns = createTurns(clock)
  const asked: Record<string, number[]> = { a: [], b: [] }
  for (let second = 0; second <= 44; second++) {
    const rows = second < 10 ? [rowOf('a')] : [rowOf('a'), rowOf('b')]
    for (const { key } of turns.takeDue(rows)) asked[key]?.push(second)
    clock.advance(1_000)
  }
  expect(asked).toEqual({ a: [0, 2, 6, 14, 29, 44], b: [10, 12, 16, 24, 39] })
})

test('a round asks about so many, and the others come first in the next', () => {
  const clock = createManualClock(0)
  const turns = createTurns(clock)
  const rows = Array.from({ length: 2 * ASKS_PER_ROUND + 1 }, (_, n) => rowOf(String(n)))
  const seen: string[] = []
  for (const expected of [ASKS_PER_ROUND, ASKS_PER_ROUND, ASKS_PER_ROUND]) {
    const due = turns.takeDue(rows)
    expect(due).toHaveLength(expected)
    seen.push(...due.map(({ key }) => key))
    clock.advance(2_000)
  }
  expect(new Set(seen.slice(0, rows.length)).size).toBe(rows.length)
})

test('a row that is decided is forgotten: it would be new', () => {
  const clock = createManualClock(0)
  const turns = createTurns(clock)
  expect(turns.takeDue([rowOf('a')])).toHaveLength(1)
  expect(turns.takeDue([rowOf('a')])).toHaveLength(0)
  turns.takeDue([])
  expect(turns.takeDue([rowOf('a')])).toHaveLength(1)
})
