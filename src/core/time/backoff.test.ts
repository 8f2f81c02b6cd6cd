import { expect, test } from 'vitest'
import { createBackoff } from './backoff.ts'

test('waits double up to the bound and start over after a success', () => {
  const backoff = createBackoff({ firstMs: 100, maxMs: 1_000 }, () => 0.999_999)
  expect(Array.from({ length: 6 }, backoff.nextMs)).toEqual([100, 200, 400, 800, 1_000, 1_000])
  backoff.reset()
  expect(backoff.nextMs()).toBe(100)
})

test('jitter takes up to half off, and many failures never overflow', () => {
  const backoff = createBackoff({ firstMs: 100, maxMs: 1_000 }, () => 0)
  expect(backoff.nextMs()).toBe(50)
  for (let attempt = 0; attempt < 2_000; attempt++) backoff.nextMs()
  expect(backoff.nextMs()).toBe(500)
})
