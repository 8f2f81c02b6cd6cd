import { expect, test } from 'vitest'
import { digestOf } from './new-operator-key.ts'
import { findKey, KEY_SCOPES, type WorkingKey } from './operator-keys.ts'

const keyOf = (id: string, digest: Buffer): WorkingKey => ({ id, label: id, scopes: KEY_SCOPES, digest })

/** The digest with one of its 256 bits turned over. */
function withBitTurned(digest: Buffer, bit: number): Buffer {
  const turned = Buffer.from(digest)
  turned[bit >> 3] = (turned[bit >> 3] ?? 0) ^ (1 << (bit & 7))
  return turned
}

test('a digest that differs in a single bit, whichever, is another key', () => {
  const digest = digestOf('right')
  const others = Array.from({ length: 256 }, (_, bit) => keyOf(`bit ${bit}`, withBitTurned(digest, bit)))
  expect(findKey(others, 'right')).toBeUndefined()
  expect(findKey([...others, keyOf('whole', digest)], 'right')?.id).toBe('whole')
})

test('a key is found wherever it stands', () => {
  const keys = Array.from({ length: 32 }, (_, n) => keyOf(`key ${n}`, digestOf(`text ${n}`)))
  expect(keys.map((_, n) => findKey(keys, `text ${n}`)?.id)).toEqual(keys.map(({ id }) => id))
  expect(findKey([], 'text 0')).toBeUndefined()
})
