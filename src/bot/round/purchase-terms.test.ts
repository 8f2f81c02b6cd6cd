import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Level } from '../../core/level.ts'
import type { Usd } from '../../core/money.ts'
import { feeOf } from '../../market/prediction/fee.ts'
import { lookWith } from '../../testing/bot/look.ts'
import { toAmounts } from '../../upstreams/polymarket/trading/order-amounts.ts'
import { chooseOrder } from './choose-order.ts'
import type { Look } from './look.ts'

const E6 = 1_000_000n
const SEED = 11

const levels = (maxTick: number) =>
  fc
    .uniqueArray(fc.integer({ min: 1, max: maxTick }), { maxLength: 6 })
    .chain((ticks) =>
      fc.tuple(
        fc.constant([...ticks].sort((a, b) => a - b)),
        fc.array(
          fc.oneof(
            fc.constantFrom(0.0000004, 0.01, 1e9, 2e9),
            fc.double({ min: 0.001, max: 5_000, noNaN: true }),
          ),
          {
            minLength: ticks.length,
            maxLength: ticks.length,
          },
        ),
      ),
    )
    .map(([ticks, sizes]) => ticks.map((tick, at): Level => [tick / (maxTick + 1), sizes[at] ?? 1]))

const anyLook = fc
  .record({
    asks: fc.oneof(levels(99), levels(999)),
    // Often none, so that the book is not crossed.
    bids: fc.oneof(fc.constant([]), levels(99)),
    tickSize: fc.constantFrom(0.01, 0.001, 0.0001),
    probabilityUp: fc.oneof(fc.double({ min: 0.5, max: 1, noNaN: true }), fc.constantFrom(0.5, 0.99, 1)),
    cashE6: fc.oneof(fc.bigInt(0n, 50n * E6), fc.bigInt(0n, 100_000n * E6)),
    sizeE6: fc.bigInt(E6, 5n * E6),
    fee: fc.option(
      fc.record({
        rate: fc.constantFrom(0, 0.03, 0.07, 1),
        exponent: fc.constantFrom(0, 0.5, 1, 1.5, 2, 4, 8),
      }),
      { nil: undefined },
    ),
    bossSignal: fc.constantFrom(undefined, undefined, 'UP' as const),
  })
  .map(({ tickSize, fee, probabilityUp, sizeE6, ...rest }) =>
    lookWith({
      ...rest,
      signal: { probabilityUp },
      config: { minConfidence: 0.5, sizeUsd: sizeE6 as Usd },
      market: { market: { tickSize, fee } },
    }),
  )

/** What an order of `spendE6` gets at one price: the venue's arithmetic, by itself. */
const feeOfSpending = (look: Look, spendE6: bigint, priceE4: number) =>
  feeOf(look.market?.market.fee, BigInt(priceE4) * 100n, (spendE6 * 10_000n) / BigInt(priceE4)) ?? -1n

describe('over any book', () => {
  test('a purchase is within every bound, breaks even, and is one that the venue takes', () => {
    let purchases = 0
    fc.assert(
      fc.property(anyLook, fc.double({ min: 0, max: 1, noNaN: true }), (look, part) => {
        const choice = chooseOrder(look)
        const text = JSON.stringify(choice.facts)
        expect(text.length).toBeLessThanOrEqual(600)
        expect(
          Object.values(choice.facts).every((value) => typeof value !== 'number' || Number.isFinite(value)),
        ).toBe(true)
        expect(choice.reason).toMatch(/^[a-z_]+$/)
        if (choice.action === 'none') return
        purchases++
        const { spendE6, priceE4, tickE4, maxFeeE6 } = choice
        const { cashE6 = 0n, config, market, bossSignal } = look
        expect(spendE6).toBeGreaterThanOrEqual(E6)
        expect(spendE6).toBeLessThanOrEqual(config.sizeUsd)
        expect(spendE6 % 10_000n).toBe(0n)
        expect(spendE6 + maxFeeE6).toBeLessThanOrEqual(cashE6)
        const price = priceE4 / 1e4
        expect(price >= 0.01 && price <= 0.99).toBe(true)
        const best = market?.up.asks[0]?.[0] ?? 0
        expect(price).toBeGreaterThanOrEqual(best - 1e-9)
        expect(price).toBeLessThanOrEqual(best + 0.02)
        const depth = (market?.up.asks ?? [])
          .filter(([ask]) => ask <= price + 1e-9)
          .reduce((sum, [ask, size]) => sum + ask * size, 0)
        expect(Number(spendE6) / 1e6).toBeLessThanOrEqual(depth + 1e-6)
        // The fee at the limit, and at any better price, is no more than was reckoned with.
        const betterE4 = Math.max(tickE4, Math.round(part * priceE4))
        for (const atE4 of [priceE4, betterE4, tickE4])
          expect(feeOfSpending(look, spendE6, atE4)).toBeLessThanOrEqual(maxFeeE6)
        // Taken in whole at the limit, the mean result is above nothing by the edge that we ask for.
        const shares = Number((spendE6 * 10_000n) / BigInt(priceE4)) / 1e6
        const cost = Number(spendE6 + feeOfSpending(look, spendE6, priceE4)) / 1e6
        const probability = look.signal?.probabilityUp ?? 0
        if (!bossSignal) expect(shares * (probability - 0.01) - cost).toBeGreaterThan(-2e-5)
        expect(() =>
          toAmounts({ side: 'BUY', kind: 'FAK', priceE4, tickE4, size: { spendE6 } }),
        ).not.toThrow()
      }),
      { numRuns: 3_000, seed: SEED },
    )
    expect(purchases).toBeGreaterThan(300)
  })

  test('the bet is at most a quarter of what Kelly says', () => {
    fc.assert(
      fc.property(anyLook, (look) => {
        const choice = chooseOrder({ ...look, bossSignal: undefined })
        if (choice.action === 'none') return
        const price = choice.priceE4 / 1e4
        const stake = Number(choice.spendE6 + feeOfSpending(look, choice.spendE6, choice.priceE4)) / 1e6
        const cost = (stake / Number(choice.spendE6)) * 1e6 * price
        const probability = look.signal?.probabilityUp ?? 0
        const kelly = (probability - cost) / (1 - cost)
        expect(stake).toBeLessThanOrEqual((kelly / 4) * (Number(look.cashE6) / 1e6) + 1e-4)
      }),
      { numRuns: 2_000, seed: SEED },
    )
  })

  test('levels that cannot be do not throw', () => {
    const odd = fc.constantFrom(0, -1, 0.5, 0.999, 1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 1e300)
    const book = fc.array(fc.tuple(odd, odd), { maxLength: 4 })
    fc.assert(
      fc.property(book, book, odd, odd, odd, (asks, bids, probabilityUp, tickSize, rate) => {
        const market = { market: { tickSize, fee: { rate, exponent: 1 } } }
        const choice = chooseOrder(lookWith({ asks, bids, signal: { probabilityUp }, market }))
        expect(['buy', 'none']).toContain(choice.action)
        expect(JSON.stringify(choice.facts)).not.toMatch(/NaN|Infinity/)
      }),
      { numRuns: 1_000, seed: SEED },
    )
  })
})
