import { expect, test } from 'vitest'
import { createLevel2Book } from './level2-book.ts'

const AT_MS = Date.UTC(2026, 0, 5, 12)
const bid = (price: number, size: number) => ({ side: 'bids', level: [price, size] }) as const
const ask = (price: number, size: number) => ({ side: 'asks', level: [price, size] }) as const

function loaded() {
  const book = createLevel2Book()
  book.load(
    [
      [99, 2],
      [100, 1],
    ],
    [
      [102, 1],
      [101, 3],
    ],
  )
  return book
}

test('a change before the snapshot is not applied', () => {
  const book = createLevel2Book()
  expect(book.change([bid(100, 1)], AT_MS)).toBe('early')
  expect(book.read()).toEqual({ bids: [], asks: [], atMs: undefined })
})

test('a snapshot is sorted and has no time of its own', () => {
  expect(loaded().read()).toEqual({
    bids: [
      [100, 1],
      [99, 2],
    ],
    asks: [
      [101, 3],
      [102, 1],
    ],
    atMs: undefined,
  })
})

test('sizes are replaced, 0 removes, and removing what is not there does nothing', () => {
  const book = loaded()
  expect(book.change([bid(100, 0), bid(98, 4), ask(101, 7), ask(500, 0)], AT_MS)).toBe('changed')
  expect(book.read()).toEqual({
    bids: [
      [99, 2],
      [98, 4],
    ],
    asks: [
      [101, 7],
      [102, 1],
    ],
    atMs: AT_MS,
  })
})

test('a change older than the one before it is disorder; one without a usable time is taken', () => {
  const book = loaded()
  book.change([bid(100, 5)], AT_MS)
  expect(book.change([bid(100, 6)], Date.UTC(1, 0))).toBe('changed')
  expect(book.change([bid(100, 7)], undefined)).toBe('changed')
  expect(book.change([bid(100, 8)], AT_MS - 1)).toBe('disorder')
  expect(book.read().bids[0]).toEqual([100, 7])
  expect(book.change([bid(100, 9)], AT_MS)).toBe('changed')
})

test('a second snapshot replaces everything', () => {
  const book = loaded()
  book.change([bid(100, 5)], AT_MS)
  book.load([[50, 1]], [[51, 1]])
  expect(book.read()).toEqual({ bids: [[50, 1]], asks: [[51, 1]], atMs: undefined })
  expect(book.change([bid(50, 2)], AT_MS - 1_000)).toBe('changed')
})
