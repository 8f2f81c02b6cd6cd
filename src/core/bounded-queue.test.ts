import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createBoundedQueue } from './bounded-queue.ts'

test('it behaves like the newest part of an array, and counts what gave way', () => {
  const steps = fc.array(fc.oneof(fc.record({ push: fc.integer() }), fc.constant('shift' as const)), {
    maxLength: 200,
  })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 7 }), steps, (capacity, actions) => {
      const queue = createBoundedQueue<number>({ capacity })
      const model: number[] = []
      let dropped = 0
      for (const action of actions) {
        if (action === 'shift') expect(queue.shift()).toBe(model.shift())
        else {
          queue.push(action.push)
          if (model.push(action.push) > capacity) {
            model.shift()
            dropped++
          }
        }
        expect([queue.size, queue.dropped]).toEqual([model.length, dropped])
      }
    }),
  )
})

test('a queue with no room is a mistake', () => {
  expect(() => createBoundedQueue({ capacity: 0 })).toThrow(RangeError)
})
