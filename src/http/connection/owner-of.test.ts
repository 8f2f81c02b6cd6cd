import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { ownerOf } from './owner-of.ts'

const ownersOf = (keys: readonly string[], isProxy: boolean) =>
  new Set(keys.map((key) => ownerOf(new Socket(), { key, isProxy }))).size

test('the connections of one client have one owner, and each that a proxy brings has its own', () => {
  expect(ownersOf(['192.0.2.1', '192.0.2.1'], false)).toBe(1)
  expect(ownersOf(['192.0.2.1', '192.0.2.2'], false)).toBe(2)
  expect(ownersOf(['192.0.2.1', '192.0.2.1'], true)).toBe(2)
})
