import fc from 'fast-check'
import type { FillRow, OrderRow } from '../../ledger/ports/bot-book.ts'
import { sampleFill, sampleOrder } from './sample-order.ts'

const amount = (max: bigint) => fc.bigInt({ min: 0n, max })

const anyFill: fc.Arbitrary<FillRow> = fc
  .record({
    state: fc.constantFrom('matched', 'confirmed', 'failed'),
    priceE6: fc.bigInt({ min: 10_000n, max: 990_000n }),
    sharesE6: fc.bigInt({ min: 10_000n, max: 50_000_000n }),
    feeE6: amount(400_000n),
    atMs: fc.integer({ min: 1_767_614_410_000, max: 1_767_614_690_000 }),
  })
  .map((fill) => sampleFill({ ...fill, notionalE6: (fill.priceE6 * fill.sharesE6) / 1_000_000n }))

const anyOrder: fc.Arbitrary<OrderRow> = fc
  .record({
    outcome: fc.constantFrom('UP', 'DOWN'),
    side: fc.constantFrom('BUY', 'BUY', 'SELL'),
    origin: fc.constantFrom('round', 'operator', 'boss'),
    fills: fc.array(anyFill, { maxLength: 4 }),
  })
  .map((order) => sampleOrder(order))

/** Closed orders of one market under one broker, both outcomes; nothing is sold that was not bought before. */
export const anyClosedOrders: fc.Arbitrary<readonly OrderRow[]> = fc
  .array(anyOrder, { minLength: 1, maxLength: 6 })
  .map((orders) => {
    const held = { UP: 0n, DOWN: 0n }
    return orders.map((order, index) => {
      const fills = order.fills.filter((fill) => {
        if (fill.state === 'failed') return true
        if (order.side === 'SELL' && fill.sharesE6 > held[order.outcome]) return false
        held[order.outcome] += order.side === 'BUY' ? fill.sharesE6 : -fill.sharesE6
        return true
      })
      const named = fills.map((fill, number) => ({ ...fill, tradeId: `t${index}-${number}` }))
      return { ...order, clientOrderId: `o-${index}`, seq: index, fills: named }
    })
  })
