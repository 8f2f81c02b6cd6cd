import { expect, test } from 'vitest'
import { createHashedClient } from './hashed-client.ts'

test('equal clients have equal hashes, others do not, and another key gives others', () => {
  const hashed = createHashedClient()
  const [first, again, other] = ['10.0.0.1', '10.0.0.1', '10.0.0.2'].map(hashed)
  expect(first).toMatch(/^[\w-]{10}$/)
  expect(again).toBe(first)
  expect(other).not.toBe(first)
  expect(createHashedClient()('10.0.0.1')).not.toBe(first)
})

test('a client keeps its hash after thousands of others', () => {
  const hashed = createHashedClient()
  const first = hashed('10.0.0.1')
  for (let n = 0; n < 20_000; n++) hashed(`client ${n}`)
  expect(hashed('10.0.0.1')).toBe(first)
})
