import { describe, expect, it } from 'vitest'
import { createOrderBook, type Resting, type Taker } from './order-book.ts'

let count = 0
function order(isBid: boolean, priceE4: number, shares: number): Resting {
  const id = `o${++count}`
  return { id, wallet: 'w', token: isBid ? 0 : 1, side: 'BUY', isBid, priceE4, leftE6: shares * 1e6 }
}
const buyer = (limitE4: number, shares: number, spendUsd?: number): Taker => ({
  token: 0,
  isBid: true,
  limitE4,
  sharesE6: shares * 1e6,
  spendE6: spendUsd === undefined ? undefined : spendUsd * 1e6,
})

describe('an order book', () => {
  it('fills the best price first, and at one price the oldest order', () => {
    const book = createOrderBook()
    const [late, early, better] = [order(false, 5200, 10), order(false, 5200, 10), order(false, 5100, 10)]
    for (const ask of [early, better, late]) book.add(ask)
    const { matches, isWhole } = book.plan(buyer(5200, 25))
    expect(matches.map(({ resting, sharesE6 }) => [resting.id, sharesE6])).toEqual([
      [better.id, 10e6],
      [early.id, 10e6],
      [late.id, 5e6],
    ])
    expect(isWhole).toBe(true)
    book.take(matches)
    expect(book.levels(false)).toEqual([[5200, 5e6]])
  })

  it('takes no price beyond the limit, and says that something is left', () => {
    const book = createOrderBook()
    book.add(order(false, 5100, 10))
    book.add(order(false, 5200, 10))
    const { matches, isWhole } = book.plan(buyer(5100, 15))
    expect([matches.length, isWhole]).toEqual([1, false])
    expect(book.plan(buyer(5000, 1)).matches).toEqual([])
  })

  it('spends money in whole lots', () => {
    const book = createOrderBook()
    book.add(order(false, 3000, 10))
    book.add(order(false, 7000, 10))
    const { matches, isWhole } = book.plan(buyer(9900, 1, 5))
    expect(matches.map(({ sharesE6 }) => sharesE6)).toEqual([10e6, 2_850_000])
    expect(isWhole).toBe(true)
    expect(book.plan(buyer(9900, 1, 50)).isWhole).toBe(false)
    expect(book.plan(buyer(9900, 1, 0.001))).toEqual({ matches: [], isWhole: false })
  })

  it('tells each level that changed once, with its new size', () => {
    const book = createOrderBook()
    const bid = order(true, 4800, 10)
    book.add(bid)
    book.add(order(true, 4800, 7))
    expect(book.takeChanges()).toEqual([{ isBid: true, priceE4: 4800, sharesE6: 17e6 }])
    book.remove(bid)
    book.add({ ...bid })
    expect(book.takeChanges()).toEqual([])
    expect(book.remove(bid)).toBe(false)
  })

  it('refuses to cross itself', () => {
    const book = createOrderBook()
    book.add(order(false, 5100, 10))
    expect(() => book.add(order(true, 5100, 10))).toThrow('crosses')
  })
})
