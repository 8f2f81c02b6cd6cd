import fc from 'fast-check'
import { expect, test } from 'vitest'
import { feeOf } from '../../../market/prediction/fee.ts'
import { LOT_E6, type Offered, walkBook } from './walk-book.ts'

const USD = 1_000_000n
const FEE = { rate: 0.07, exponent: 1 }
const at = (priceE4: number, shares: number): Offered => ({
  priceE4,
  sharesE6: BigInt(Math.round(shares * 1e6)),
})
const ASKS = [at(4_000, 10), at(4_100, 5), at(4_500, 100)]
const BIDS = [at(3_900, 10), at(3_800, 5), at(3_000, 100)]
const PLENTY = 1_000n * USD

test.each([
  // 10 × 0.40 = 4, and 1 buys 2.43 at 0.41.
  ['walks on to the next level', 5n * USD, 4_100, PLENTY, ['10000000@4000', '2430000@4100']],
  ['stops at the limit', 50n * USD, 4_100, PLENTY, ['10000000@4000', '5000000@4100']],
  ['takes nothing beyond it', 5n * USD, 3_999, PLENTY, []],
  ['stops when the money is spent', 2n * USD, 4_500, PLENTY, ['5000000@4000']],
  // A lot costs 0.004 and a fee of 0.000168: 2 USD pay for 4.79, whose fee is 0.08047.
  ['leaves room for the fee in the cash', 5n * USD, 4_500, 2n * USD, ['4790000@4000']],
  ['takes nothing without cash', 5n * USD, 4_500, 0n, []],
])('a purchase %s', (_, spendE6, limitE4, cashE6, expected) => {
  const takes = walkBook(ASKS, { side: 'BUY', limitE4, spendE6, sharesE6: undefined, cashE6 }, FEE)
  expect(takes?.map(({ sharesE6, priceE4 }) => `${sharesE6}@${priceE4}`)).toEqual(expected)
})

test.each([
  ['walks on to the next level', 12n * USD, 3_800, ['10000000@3900', '2000000@3800']],
  ['stops at the limit', 50n * USD, 3_800, ['10000000@3900', '5000000@3800']],
  ['takes nothing below it', 5n * USD, 4_000, []],
])('a sale %s', (_, sharesE6, limitE4, expected) => {
  const takes = walkBook(BIDS, { side: 'SELL', limitE4, spendE6: undefined, sharesE6, cashE6: 0n }, FEE)
  expect(takes?.map((take) => `${take.sharesE6}@${take.priceE4}`)).toEqual(expected)
})

test('each level has a fee of its own, and an unknown fee sells nothing', () => {
  const wanted = {
    side: 'BUY',
    limitE4: 4_100,
    spendE6: 5n * USD,
    sharesE6: undefined,
    cashE6: PLENTY,
  } as const
  expect(walkBook(ASKS, wanted, FEE)?.map(({ feeE6 }) => feeE6)).toEqual([168_000n, 41_150n])
  expect(walkBook(ASKS, wanted, undefined)?.map(({ feeE6 }) => feeE6)).toEqual([0n, 0n])
  expect(walkBook(ASKS, wanted, { rate: 2, exponent: 1 })).toBeUndefined()
})

const levels = fc
  .uniqueArray(fc.integer({ min: 1, max: 99 }), { minLength: 0, maxLength: 6 })
  .chain((cents) =>
    fc.tuple(
      fc.constant(cents.sort((a, b) => a - b)),
      fc.array(fc.bigInt(0n, 50n * USD), { minLength: cents.length, maxLength: cents.length }),
    ),
  )
  .map(([cents, sizes]) => cents.map((cent, n) => ({ priceE4: cent * 100, sharesE6: sizes[n] ?? 0n })))

test('never a price or a size that was not there, never above the limit, the size or the cash, and no lot too few', () => {
  fc.assert(
    fc.property(
      levels,
      fc.integer({ min: 1, max: 99 }),
      fc.bigInt(1n, 5_000n),
      fc.bigInt(0n, 60n * USD),
      (asks, limit, cents, cashE6) => {
        const [limitE4, spendE6] = [limit * 100, cents * 10_000n]
        const takes =
          walkBook(asks, { side: 'BUY', limitE4, spendE6, sharesE6: undefined, cashE6 }, FEE) ?? []
        for (const { priceE4, sharesE6, notionalE6, feeE6 } of takes) {
          const level = asks.find((each) => each.priceE4 === priceE4)
          expect(level && sharesE6 > 0n && sharesE6 <= level.sharesE6 && priceE4 <= limitE4).toBe(true)
          expect(notionalE6 * 10_000n).toBe(sharesE6 * BigInt(priceE4))
          expect(feeE6).toBe(feeOf(FEE, BigInt(priceE4) * 100n, sharesE6))
        }
        const spent = takes.reduce((sum, { notionalE6 }) => sum + notionalE6, 0n)
        const paid = takes.reduce((sum, { notionalE6, feeE6 }) => sum + notionalE6 + feeE6, 0n)
        expect(spent <= spendE6 && paid <= cashE6).toBe(true)
        // The best level within the limit that has a lot left is too dear for what is left of money or cash.
        const next = asks.find(({ priceE4, sharesE6 }) => {
          const taken = takes.find((take) => take.priceE4 === priceE4)?.sharesE6 ?? 0n
          return priceE4 <= limitE4 && sharesE6 - taken >= LOT_E6
        })
        if (!next) return
        const price = BigInt(next.priceE4)
        const before = takes.find((take) => take.priceE4 === next.priceE4)
        const more = (before?.sharesE6 ?? 0n) + LOT_E6
        const moreFee = (feeOf(FEE, price * 100n, more) ?? 0n) - (before?.feeE6 ?? 0n)
        expect(spent + price > spendE6 || paid + price + moreFee > cashE6).toBe(true)
      },
    ),
    { numRuns: 500 },
  )
})
