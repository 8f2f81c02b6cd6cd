import { expect, test } from 'vitest'
import { findBookFault } from './book-fault.ts'

const bids = [
  [100, 1],
  [99, 2],
] as const
const asks = [
  [101, 1],
  [102, 2],
] as const

test('a sane book has no fault', () => {
  expect(findBookFault(bids, asks)).toBeUndefined()
})

test.each([
  ['crossed', [[101.5, 1]], asks],
  ['crossed', [[101, 1]], asks],
  ['empty_side', [], asks],
  ['empty_side', bids, []],
  ['unordered', [...bids, [99.5, 1]], asks],
  ['unordered', bids, [...asks, [102, 1]]],
  ['bad_level', [[Number.NaN, 1]], asks],
  ['bad_level', bids, [[101, 0]]],
  ['bad_level', bids, [[101, Number.POSITIVE_INFINITY]]],
] as const)('%s is noticed', (fault, someBids, someAsks) => {
  expect(findBookFault(someBids, someAsks)).toBe(fault)
})
