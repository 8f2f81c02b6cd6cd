import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Trade } from '../events.ts'
import { createTradeSequence } from './trade-sequence.ts'

const MAX_GAP = 100

function tradeOf(id: number): Trade {
  return { venue: 'binance', coin: 'BTC', id, price: 1, size: 1, side: 'buy', fills: 1, atMs: id * 10 }
}

function sequence() {
  const ids: number[] = []
  return { ids, trades: createTradeSequence({ maxGap: MAX_GAP, emit: ({ id }) => ids.push(id) }) }
}

test('in whatever order and however often they arrive, trades are passed on once each and in order', () => {
  const shuffled = fc
    .integer({ min: 1, max: 40 })
    .chain((count) =>
      fc.tuple(
        fc.shuffledSubarray(range(2, count), { minLength: count - 1, maxLength: count - 1 }),
        fc.array(fc.integer({ min: 1, max: count }), { maxLength: 20 }),
      ),
    )
  fc.assert(
    fc.property(shuffled, ([order, repeats]) => {
      const { ids, trades } = sequence()
      for (const id of [1, ...order, ...repeats]) trades.accept(tradeOf(id))
      expect(ids).toEqual(range(1, order.length + 1))
      expect(trades.missing()).toBeUndefined()
    }),
  )
})

test('a gap is reported, filled by a repair, and the trades that waited follow', () => {
  const { ids, trades } = sequence()
  expect([1, 5, 6, 9].map((id) => trades.accept(tradeOf(id)))).toEqual(['next', 'early', 'early', 'early'])
  expect(trades.missing()).toEqual({ fromId: 2, toId: 4 })
  for (const id of [2, 3, 4]) trades.accept(tradeOf(id))
  expect(trades.missing()).toEqual({ fromId: 7, toId: 8 })
  trades.skip()
  expect(ids).toEqual([1, 2, 3, 4, 5, 6, 9])
  expect(trades.accept(tradeOf(8))).toBe('duplicate')
})

test('one id far ahead is not believed, two that agree are', () => {
  const { ids, trades } = sequence()
  trades.accept(tradeOf(1))
  expect(trades.accept(tradeOf(5_000_000))).toBe('suspect')
  expect(trades.accept(tradeOf(2))).toBe('next')
  expect(trades.accept(tradeOf(5_000_001))).toBe('suspect')
  expect(trades.accept(tradeOf(5_000_003))).toBe('jump')
  expect(ids).toEqual([1, 2, 5_000_001])
  expect(trades.missing()).toEqual({ fromId: 5_000_002, toId: 5_000_002 })
})

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at)
}
