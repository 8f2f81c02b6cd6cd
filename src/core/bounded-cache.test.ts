import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createBoundedCache } from './bounded-cache.ts'

test('it holds the entries that were set last, whatever was set before and read in between', () => {
  const key = fc.integer({ min: 0, max: 9 })
  const step = fc.record({ key, isRead: fc.boolean() })
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 300, size: 'max' }),
      fc.integer({ min: 1, max: 6 }),
      (steps, capacity) => {
        const cache = createBoundedCache<number, number>({ capacity })
        let model: [key: number, value: number][] = []
        for (const [n, { key, isRead }] of steps.entries()) {
          if (isRead) expect(cache.get(key)).toBe(model.find(([each]) => each === key)?.[1])
          else {
            cache.set(key, n)
            model = [...model.filter(([each]) => each !== key), [key, n] as [number, number]].slice(-capacity)
          }
        }
        for (let each = 0; each <= 9; each++)
          expect(cache.get(each)).toBe(model.find(([held]) => held === each)?.[1])
      },
    ),
  )
})

test('a key that is set again drops nothing', () => {
  const cache = createBoundedCache<string, number>({ capacity: 2 })
  cache.set('a', 1)
  cache.set('b', 2)
  cache.set('b', 3)
  expect([cache.get('a'), cache.get('b')]).toEqual([1, 3])
})

test.each([0, -1, 1.5, Number.NaN])('a capacity of %s is refused', (capacity) => {
  expect(() => createBoundedCache({ capacity })).toThrow(RangeError)
})

test('keys that are set again and again leave nothing behind, before and after it is full', () => {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  const heldMb = () => {
    collect()
    return process.memoryUsage().heapUsed / 2 ** 20
  }
  const cache = createBoundedCache<number, number>({ capacity: 300 })
  const renew = (keys: number) => {
    const before = heldMb()
    for (let n = 0; n < 1_000_000; n++) cache.set(n % keys, n)
    return heldMb() - before
  }
  const grown = [renew(256)]
  for (let key = 0; key < 400; key++) cache.set(key, 0)
  grown.push(renew(100))
  // It was 50 MB and more.
  for (const mb of grown) expect(mb).toBeLessThan(5)
})
