import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRing } from './ring.ts'

test('a ring holds the newest items in the order they came', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 9 }),
      fc.array(fc.integer(), { maxLength: 40 }),
      fc.nat({ max: 12 }),
      (capacity, items, count) => {
        const ring = createRing<number>({ capacity })
        for (const item of items) ring.push(item)
        const kept = items.slice(-capacity)
        expect(ring.last(count)).toEqual(count === 0 ? [] : kept.slice(-count))
        expect(ring.newest).toBe(items.at(-1))
        expect(ring.size).toBe(kept.length)
      },
    ),
  )
})

test('a ring without room is refused', () => {
  expect(() => createRing({ capacity: 0 })).toThrow(RangeError)
})
