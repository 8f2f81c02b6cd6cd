import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createDepthBook, type DepthBook } from './depth-book.ts'

const stamp = { kind: 'depth', line: 1, exchangeMs: 0, localMs: 0 } as const

function told(changes: readonly (readonly ['bid' | 'ask', number, number, number?])[]): DepthBook {
  const book = createDepthBook()
  for (const [side, price, size, atMs = 0] of changes) book.change({ ...stamp, side, price, size }, atMs)
  return book
}

test('levels of any order come out best first; a size of 0 takes one away, seen or not', () => {
  const book = told([
    ['bid', 99.98, 2],
    ['bid', 100, 1],
    ['bid', 99.99, 5],
    ['bid', 99.99, 0],
    ['bid', 42, 0],
    ['ask', 100.03, 4],
    ['ask', 100.01, 3],
    ['ask', 100.01, 7],
  ])
  expect(book.read()).toEqual({
    bids: [
      [100, 1],
      [99.98, 2],
    ],
    asks: [
      [100.01, 7],
      [100.03, 4],
    ],
  })
})

test('a book is in doubt while a side is empty or the gap between the sides is no spread', () => {
  expect(told([['bid', 100, 1]]).read()).toBeUndefined()
  const book = told([
    ['bid', 100, 1],
    ['ask', 100.2, 1],
  ])
  expect(book.read()).toBeUndefined()
  book.change({ ...stamp, side: 'ask', price: 100.1, size: 1 }, 1)
  expect(book.read()?.asks[0]).toEqual([100.1, 1])
})

test('of two levels that cross the older one goes, and both when they are of one age', () => {
  const book = told([
    ['bid', 100.02, 1, 5],
    ['bid', 99.99, 1, 5],
    ['ask', 100.01, 1, 6],
  ])
  expect(book.read()).toEqual({ bids: [[99.99, 1]], asks: [[100.01, 1]] })
  book.change({ ...stamp, side: 'bid', price: 100.01, size: 2 }, 6)
  book.change({ ...stamp, side: 'ask', price: 100.03, size: 2 }, 6)
  expect(book.read()).toEqual({ bids: [[99.99, 1]], asks: [[100.03, 2]] })
})

test('a trade shows that better levels of its side are gone', () => {
  const book = told([
    ['bid', 100, 1],
    ['bid', 99.99, 1],
    ['ask', 100.01, 1],
    ['ask', 100.02, 1],
    ['ask', 100.03, 1],
  ])
  book.traded(100.02, 'buy')
  expect(book.read()?.asks[0]).toEqual([100.02, 1])
  expect(book.read()?.bids[0]).toEqual([100, 1])
  book.traded(99.995, 'sell')
  expect(book.read()?.bids[0]).toEqual([99.99, 1])
})

test('equals a plain map of levels', () => {
  const change = fc.record({
    isBid: fc.boolean(),
    depth: fc.integer({ min: 0, max: 40 }),
    size: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 9 })),
  })
  fc.assert(
    fc.property(fc.array(change, { maxLength: 200 }), (changes) => {
      const book = told([
        ['bid', 10_000, 1],
        ['ask', 10_001, 1],
      ])
      const [bids, asks] = [new Map([[10_000, 1]]), new Map([[10_001, 1]])]
      for (const { isBid, depth, size } of changes) {
        // The best level of each side stays, so that there is always a book to compare.
        const price = isBid ? 9_999 - depth : 10_002 + depth
        book.change({ ...stamp, side: isBid ? 'bid' : 'ask', price, size }, 0)
        const levels = isBid ? bids : asks
        if (size === 0) levels.delete(price)
        else levels.set(price, size)
        const sorted = (side: Map<number, number>, sign: number) =>
          [...side].sort(([a], [b]) => sign * (a - b)).slice(0, 20)
        expect(book.read()).toEqual({ bids: sorted(bids, -1), asks: sorted(asks, 1) })
      }
    }),
  )
})
