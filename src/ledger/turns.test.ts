import { expect, test } from 'vitest'
import { type Turns, takeTurns } from './turns.ts'

const rowOf = (key: string) => ({ key })
const PAUSES = { firstMs: 2_000, maxMs: 15_000 }

test('a row is asked about at once, then after 2, 4, 8 and 15 s; one that comes later has turns of its own', () => {
  const turns: Turns = new Map()
  const asked: Record<string, number[]> = { a: [], b: [] }
  for (let second = 0; second <= 44; second++) {
    const rows = second < 10 ? [rowOf('a')] : [rowOf('a'), rowOf('b')]
    const due = takeTurns(turns, rows, { nowMs: second * 1_000, limit: 5, pauses: PAUSES })
    for (const key of due) asked[key]?.push(second)
  }
  expect(asked).toEqual({ a: [0, 2, 6, 14, 29, 44], b: [10, 12, 16, 24, 39] })
})

test('so many are taken at once, and the others come first in the next round', () => {
  const turns: Turns = new Map()
  const rows = Array.from({ length: 21 }, (_, n) => rowOf(String(n)))
  const seen: string[] = []
  for (let round = 0; round < 3; round++) {
    const due = takeTurns(turns, rows, { nowMs: round * 2_000, limit: 10, pauses: PAUSES })
    expect(due).toHaveLength(10)
    seen.push(...due)
  }
  expect(new Set(seen.slice(0, rows.length)).size).toBe(rows.length)
})

test('a row that is decided is forgotten: it would be new', () => {
  const turns: Turns = new Map()
  const take = (...keys: string[]) =>
    takeTurns(turns, keys.map(rowOf), { nowMs: 0, limit: 5, pauses: PAUSES })
  expect(take('a')).toHaveLength(1)
  expect(take('a')).toHaveLength(0)
  take()
  expect(take('a')).toHaveLength(1)
})
