import { expect, test } from 'vitest'
import { createRepeatCache } from './repeat-cache.ts'

const value = (name: unknown) => ({ name })

test('what was read again outlasts any number of names that are read once', () => {
  const cache = createRepeatCache<string, object>({ capacity: 10 })
  const honest = value('honest')
  cache.set('honest', honest)
  expect(cache.get('honest')).toBe(honest)
  for (let n = 0; n < 10_000; n++) {
    expect(cache.get(`junk ${n}`)).toBeUndefined()
    cache.set(`junk ${n}`, value(n))
  }
  expect(cache.get('honest')).toBe(honest)
})

test('holds no more than its capacity, whatever is read again', () => {
  const cache = createRepeatCache<number, object>({ capacity: 10 })
  for (let n = 0; n < 1_000; n++) {
    cache.set(n, value(n))
    cache.get(n)
  }
  const kept = Array.from({ length: 1_000 }, (_, n) => cache.get(n)).filter(Boolean)
  expect(kept).toEqual([995, 996, 997, 998, 999].map(value))
})

test('a new value takes the place of the old one, in either half', () => {
  const cache = createRepeatCache<string, object>({ capacity: 4 })
  cache.set('a', value(1))
  cache.set('a', value(2))
  expect(cache.get('a')).toEqual(value(2))
  cache.set('a', value(3))
  expect(cache.get('a')).toEqual(value(3))
})
