import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyClosedOrders } from '../../testing/bot/any-orders.ts'
import { sampleFill, sampleOrder } from '../../testing/bot/sample-order.ts'
import { settlementOf } from '../reconcile/settlement.ts'
import { worstLossE6 } from './worst-loss.ts'

const profitOf = (orders: Parameters<typeof worstLossE6>[0], outcome: 'UP' | 'DOWN') =>
  settlementOf(orders, { outcome, payoutUpE6: outcome === 'UP' ? 1_000_000n : 0n, atMs: 0 }, undefined)
    ?.profitE6 ?? 0n

test('of closed orders it is the loss of the worse outcome', () => {
  fc.assert(
    fc.property(anyClosedOrders, (orders) => {
      const losses = [-profitOf(orders, 'UP'), -profitOf(orders, 'DOWN'), 0n]
      expect(Number(worstLossE6(orders))).toBe(Math.max(...losses.map(Number)))
    }),
  )
})

test('an open order never loses more than it counts for, whatever it takes in the end', () => {
  const taken = fc.record({
    part: fc.bigInt({ min: 0n, max: 100n }),
    fee: fc.bigInt({ min: 0n, max: 350_000n }),
    isSale: fc.boolean(),
  })
  fc.assert(
    fc.property(anyClosedOrders, taken, (orders, { part, fee, isSale }) => {
      const bought = sampleOrder({ clientOrderId: 'first', fills: [sampleFill()] })
      const side = isSale ? 'SELL' : 'BUY'
      const sharesE6 = isSale ? 10_000_000n : undefined
      const open = sampleOrder({ clientOrderId: 'open', side, sharesE6, state: 'open', maxFeeE6: 350_000n })
      const fill = sampleFill({
        sharesE6: part * 100_000n,
        notionalE6: part * 50_000n,
        feeE6: isSale ? 0n : fee,
      })
      const after = [...orders, bought, { ...open, state: 'closed' as const, fills: [fill] }]
      const most = worstLossE6([...orders, bought, open])
      for (const outcome of ['UP', 'DOWN'] as const)
        expect(-profitOf(after, outcome)).toBeLessThanOrEqual(Number(most))
    }),
  )
})

test('both outcomes held in equal number pay for each other', () => {
  const up = sampleOrder({ fills: [sampleFill({ notionalE6: 4_000_000n, feeE6: 0n })] })
  const down = sampleOrder({ outcome: 'DOWN', fills: [sampleFill({ notionalE6: 5_500_000n, feeE6: 0n })] })
  expect(worstLossE6([up])).toBe(4_000_000n)
  expect(worstLossE6([up, down])).toBe(0n)
})
