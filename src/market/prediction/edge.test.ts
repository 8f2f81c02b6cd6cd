import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Level } from '../../core/level.ts'
import { bestSideOf, edgesOf } from './edge.ts'
import { feeOf } from './fee.ts'
import { priceAfterFees, purchaseAvailable, purchaseOf } from './purchase.ts'

const FEE = { rate: 0.07, exponent: 1 }
const E6 = 1_000_000n
const HOSTILE = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -1, -0.000001, 1e300, 1e10]

/** Prices in ticks of a tenth of a cent, sizes in hundredths, best first. */
const asks = fc
  .uniqueArray(fc.integer({ min: 1, max: 999 }), { minLength: 1, maxLength: 8 })
  .chain((ticks) =>
    fc.tuple(
      fc.constant(ticks.sort((a, b) => a - b)),
      fc.array(fc.integer({ min: 1, max: 500_000 }), { minLength: ticks.length, maxLength: ticks.length }),
    ),
  )
  .map(([ticks, sizes]) => ticks.map((tick, at): Level => [tick / 1000, (sizes[at] ?? 1) / 100]))
const fees = fc.option(
  fc.record({
    rate: fc.integer({ min: 0, max: 100 }).map((n) => n / 1000),
    exponent: fc.integer({ min: 0, max: 3 }),
  }),
  { nil: undefined },
)

describe('the fee', () => {
  test.each([
    // Seen on chain.
    ['108 at 0.36', 360_000n, 108n * E6, 1_741_820n],
    // Recorded: what was paid less price times shares.
    ['5 at 0.32', 320_000n, 5n * E6, 76_160n],
    ['100 at 0.50', 500_000n, 100n * E6, 1_750_000n],
    ['1 at 0.90', 900_000n, E6, 6_300n],
    ['a share at the ends', 0n, E6, 0n],
    ['so little that it rounds to nothing', 10_000n, 7_000n, 0n],
    ['half of a step, rounded up', 500_000n, 2_858n, 50n],
  ])('of %s', (_, price, shares, fee) => {
    expect(feeOf(FEE, price, shares)).toBe(fee)
  })

  test('is the formula to five decimals, and never less for more shares', () => {
    fc.assert(
      fc.property(
        fees,
        fc.integer({ min: 0, max: 1_000_000 }),
        fc.bigInt(0n, 10_000_000_000n),
        fc.bigInt(0n, 10_000_000n),
        (fee, price, shares, more) => {
          const paid = feeOf(fee, BigInt(price), shares) ?? -1n
          const { rate, exponent } = fee ?? { rate: 0, exponent: 1 }
          const p = price / 1e6
          const exact = Number(shares) * rate * (p * (1 - p)) ** exponent
          expect(paid % 10n).toBe(0n)
          expect(Math.abs(Number(paid) - exact)).toBeLessThanOrEqual(5 + Math.abs(exact) * 1e-9)
          expect(feeOf(fee, BigInt(price), shares + more) ?? -1n).toBeGreaterThanOrEqual(paid)
        },
      ),
    )
  })

  test.each([
    ['the root of a quarter is a half', 0.5, 500_000n, E6, 35_000n],
    ['0.07 × 0.25 ^ 1.5 is 0.00875', 1.5, 500_000n, 8n * E6, 70_000n],
    ['rounded up: 0.07 × 0.09 ^ 0.7 is 0.01297381…', 0.7, 100_000n, E6, 12_980n],
    ['nothing at the ends', 0.5, E6, 100n * E6, 0n],
  ])('of an exponent that is not whole: %s', (_, exponent, price, shares, fee) => {
    expect(feeOf({ rate: 0.07, exponent }, price, shares)).toBe(fee)
  })

  test('of an exponent that is not whole is no less than the formula, and less than a step above', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 8, noNaN: true }).filter((exponent) => !Number.isInteger(exponent)),
        fc.bigInt(1n, 999_999n),
        fc.bigInt(0n, 10_000_000_000n),
        (exponent, price, shares) => {
          const paid = feeOf({ rate: 0.07, exponent }, price, shares) ?? -1n
          const p = Number(price) / 1e6
          const exact = Number(shares) * 0.07 * (p * (1 - p)) ** exponent
          expect(paid % 10n).toBe(0n)
          expect(Number(paid)).toBeGreaterThanOrEqual(exact * (1 - 1e-9))
          expect(Number(paid)).toBeLessThan(exact * (1 + 1e-9) + 10.01)
        },
      ),
    )
  })

  test('is unknown where the venue states none that can be', () => {
    for (const rate of [...HOSTILE, 1.01]) expect(feeOf({ rate, exponent: 1 }, 500_000n, E6)).toBeUndefined()
    for (const exponent of [...HOSTILE, 8.000001, 9, 77])
      expect(feeOf({ rate: 0.07, exponent }, 500_000n, E6)).toBeUndefined()
    expect(feeOf(FEE, 1_000_001n, E6)).toBeUndefined()
    expect(feeOf(FEE, -1n, E6)).toBeUndefined()
    expect(feeOf(FEE, 500_000n, -1n)).toBeUndefined()
  })
})

describe('a purchase', () => {
  test('walks the asks and pays the fee of each level', () => {
    const book: Level[] = [
      [0.5, 3],
      [0.6, 10],
    ]
    const fee = (feeOf(FEE, 500_000n, 3n * E6) ?? 0n) + (feeOf(FEE, 600_000n, 2n * E6) ?? 0n)
    expect(purchaseOf(book, 5n * E6, FEE)).toEqual({
      shares: 5n * E6,
      notional: 2_700_000n,
      fee,
      cost: 2_700_000n + fee,
      levels: 2,
    })
  })

  test('takes the best level, or what makes up the smallest order', () => {
    const book: Level[] = [
      [0.5, 4.99],
      [0.6, 10],
    ]
    expect(purchaseAvailable(book, 4.99, FEE)).toMatchObject({ shares: 4_990_000n, levels: 1 })
    expect(purchaseAvailable(book, 5, FEE)).toMatchObject({
      shares: 5_000_000n,
      levels: 2,
      notional: 2_501_000n,
    })
    expect(purchaseAvailable(book, 14.99, FEE)).toMatchObject({ shares: 14_990_000n, levels: 2 })
    expect(purchaseAvailable(book, 15, FEE)).toBeUndefined()
    expect(purchaseAvailable([], 0, FEE)).toBeUndefined()
  })

  test('of more never costs less, and no share costs less than the best one', () => {
    fc.assert(
      fc.property(
        asks,
        fees,
        fc.bigInt(1n, 5_000_000_000n),
        fc.bigInt(1n, 5_000_000_000n),
        (book, fee, some, more) => {
          const [a, b] = [purchaseOf(book, some, fee), purchaseOf(book, some + more, fee)]
          const depth = book.reduce((sum, [, size]) => sum + BigInt(Math.round(size * 1e6)), 0n)
          expect([a !== undefined, b !== undefined]).toEqual([some <= depth, some + more <= depth])
          if (!a) return
          expect(a.cost).toBe(a.notional + a.fee)
          const best = BigInt(Math.round((book[0]?.[0] ?? 0) * 1e6))
          expect(priceAfterFees(a)).toBeGreaterThanOrEqual(best)
          expect(a.notional * E6).toBeGreaterThanOrEqual(best * a.shares)
          if (b) expect(b.cost).toBeGreaterThanOrEqual(a.cost)
        },
      ),
    )
  })

  test('from a book that cannot be is none', () => {
    for (const bad of HOSTILE) {
      expect(purchaseAvailable([[bad, 5]], 5, FEE)).toBeUndefined()
      expect(purchaseAvailable([[0.5, bad]], 5, FEE)).toBeUndefined()
      expect(purchaseAvailable([[0.5, 5]], bad, FEE)).toBeUndefined()
      expect(
        purchaseOf(
          [
            [0.5, 1],
            [0.6, bad],
          ],
          2n * E6,
          FEE,
        ),
      ).toBeUndefined()
    }
    for (const price of [0, 1, 1.5]) expect(purchaseAvailable([[price, 5]], 5, FEE)).toBeUndefined()
    expect(purchaseAvailable([[0.5, 0]], 5, FEE)).toBeUndefined()
    expect(
      purchaseOf(
        [
          [0.6, 1],
          [0.5, 1],
        ],
        2n * E6,
        FEE,
      ),
    ).toBeUndefined()
    expect(purchaseOf([[0.5, 1]], 0n, FEE)).toBeUndefined()
  })
})

describe('the edge', () => {
  const terms = { minShares: 5, fee: FEE }

  test('is the probability less the price after fees, on both sides', () => {
    const edges = edgesOf(0.6, { up: [[0.5, 100]], down: [[0.5, 100]] }, terms)
    expect(edges.UP).toMatchObject({ price: 517_500n, edge: 82_500n, expectedValue: 8_250_000n })
    expect(edges.DOWN).toMatchObject({ price: 517_500n, edge: -117_500n, expectedValue: -11_750_000n })
    expect(bestSideOf(edges)).toBe('UP')
    expect(bestSideOf(edgesOf(0.5, { up: [[0.5, 100]], down: [[0.5, 100]] }, terms))).toBeUndefined()
    expect(bestSideOf(edgesOf(0.3, { up: [], down: [[0.5, 100]] }, terms))).toBe('DOWN')
    const free = { ...terms, fee: undefined }
    expect(bestSideOf(edgesOf(0.5, { up: [[0.4, 9]], down: [[0.4, 9]] }, free))).toBe('UP')
    expect(bestSideOf(edgesOf(0.5, { up: [[0.5, 9]], down: [[0.5, 9]] }, free))).toBeUndefined()
  })

  test('rises with the probability by as much, falls with the fee, and never promises more than it is', () => {
    fc.assert(
      fc.property(
        asks,
        fees,
        fc.integer({ min: 0, max: 9_999 }),
        fc.integer({ min: 0, max: 20 }),
        (book, fee, p, min) => {
          const given = { up: book, down: book }
          const at = (probability: number) => edgesOf(probability / 10_000, given, { minShares: min, fee })
          const [low, high] = [at(p), at(p + 1)]
          if (!low.UP || !high.UP || !low.DOWN || !high.DOWN) {
            expect(purchaseAvailable(book, min, fee)).toBeUndefined()
            return
          }
          expect([high.UP.edge - low.UP.edge, low.DOWN.edge - high.DOWN.edge]).toEqual([100n, 100n])
          expect(low.UP.edge + low.DOWN.edge).toBe(E6 - 2n * low.UP.price)
          const { shares } = low.UP.purchase
          expect(low.UP.edge * shares).toBeLessThanOrEqual((low.UP.expectedValue + 1n) * E6)
          const unpaid = edgesOf(p / 10_000, given, { minShares: min, fee: undefined })
          expect(unpaid.UP?.edge ?? -E6).toBeGreaterThanOrEqual(low.UP.edge)
        },
      ),
    )
  })

  test('of a probability that is none is none', () => {
    for (const bad of [...HOSTILE, 1.000001])
      expect(edgesOf(bad, { up: [[0.5, 9]], down: [[0.5, 9]] }, terms)).toEqual({
        UP: undefined,
        DOWN: undefined,
      })
  })
})
