import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { OrderRow } from '../../ledger/ports/bot-book.ts'
import { anyClosedOrders } from '../../testing/bot/any-orders.ts'
import { sampleFill, sampleOrder } from '../../testing/bot/sample-order.ts'
import { emptied, settlementOf } from './settlement.ts'

const anyOutcome = fc.constantFrom('UP' as const, 'DOWN' as const)
const resolved = (outcome: 'UP' | 'DOWN') => ({
  ...{ outcome, atMs: 1_767_614_760_000 },
  payoutUpE6: outcome === 'UP' ? 1_000_000n : 0n,
})

/** An account that starts with nothing and does what the fills say, one after another. */
function cashAfter(orders: readonly OrderRow[], outcome: 'UP' | 'DOWN'): bigint {
  let cash = 0n
  const shares = { UP: 0n, DOWN: 0n }
  for (const order of orders)
    for (const { state, notionalE6, feeE6, sharesE6 } of order.fills) {
      if (state === 'failed') continue
      cash -= feeE6
      cash += order.side === 'BUY' ? -notionalE6 : notionalE6
      shares[order.outcome] += order.side === 'BUY' ? sharesE6 : -sharesE6
    }
  return cash + shares[outcome]
}

test('the profit is what an account that followed the fills has in the end', () => {
  fc.assert(
    fc.property(anyClosedOrders, anyOutcome, (orders, outcome) => {
      const trade = settlementOf(orders, resolved(outcome), undefined)
      expect(trade?.profitE6 ?? 0n).toBe(cashAfter(orders, outcome))
      if (trade) expect(trade.profitE6).toBe(trade.collectedE6 - trade.costE6 - trade.feesE6)
    }),
  )
})

test('what the round brought is what its purchases alone would have, whatever was traded by hand', () => {
  fc.assert(
    fc.property(anyClosedOrders, fc.constantFrom(0n, 500_000n, 1_000_000n), (orders, payoutUpE6) => {
      const resolution = { ...resolved('UP'), payoutUpE6 }
      const trade = settlementOf(orders, resolution, undefined)
      const own = orders.filter(({ origin, side }) => origin === 'round' && side === 'BUY')
      expect(trade?.roundProfitE6).toBe(settlementOf(own, resolution, undefined)?.profitE6)
    }),
  )
})

test('a fill that failed changes nothing, and a late one changes what a new account would show', () => {
  fc.assert(
    fc.property(anyClosedOrders, anyOutcome, (orders, outcome) => {
      const without = orders.map((order) => ({
        ...order,
        fills: order.fills.filter(({ state }) => state !== 'failed'),
      }))
      expect(settlementOf(orders, resolved(outcome), 0.6)).toEqual(
        settlementOf(without, resolved(outcome), 0.6),
      )
      const late = sampleOrder({ fills: [sampleFill({ tradeId: 'late' })] })
      expect(settlementOf([...orders, late], resolved(outcome), 0.6)?.profitE6).toBe(
        cashAfter([...orders, late], outcome),
      )
    }),
  )
})

test('no trade without a fill that counts', () => {
  expect(settlementOf([], resolved('UP'), undefined)).toBeUndefined()
  expect(settlementOf([sampleOrder()], resolved('UP'), undefined)).toBeUndefined()
  const failed = sampleOrder({ fills: [sampleFill({ state: 'failed' })] })
  expect(settlementOf([failed], resolved('UP'), undefined)).toBeUndefined()
})

test('direction is of the side that most was spent on, and who had orders in it is told', () => {
  const up = sampleOrder({ fills: [sampleFill()] })
  const down = sampleOrder({
    outcome: 'DOWN',
    origin: 'operator',
    fills: [sampleFill({ notionalE6: 5_000_001n })],
  })
  expect(settlementOf([up, down], resolved('UP'), 0.6)).toMatchObject({ direction: 'DOWN', origin: 'mixed' })
  expect(settlementOf([up], resolved('DOWN'), 0.6)).toMatchObject({
    direction: 'UP',
    origin: 'round',
    profitE6: -5_175_000n,
    feesE6: 175_000n,
    collectedE6: 0n,
    confidence: 0.6,
    openedMs: 1_767_614_411_000,
    resolvedMs: 1_767_614_760_000,
  })
})

test('an emptied trade keeps what it is about and holds no money', () => {
  const trade = settlementOf([sampleOrder({ fills: [sampleFill()] })], resolved('UP'), 0.6)
  expect(trade && emptied(trade)).toMatchObject({
    outcome: 'UP',
    profitE6: 0n,
    roundProfitE6: undefined,
    costE6: 0n,
    boughtSharesE6: 0n,
  })
})

test('where both sides pay alike, each share is worth half a dollar, rounded down', () => {
  const up = sampleOrder({ fills: [sampleFill({ sharesE6: 10_000_001n })] })
  const down = sampleOrder({ outcome: 'DOWN', fills: [sampleFill({ sharesE6: 3_000_000n })] })
  const trade = settlementOf([up, down], { ...resolved('UP'), payoutUpE6: 500_000n }, 0.6)
  expect(trade).toMatchObject({ outcome: 'UP', collectedE6: 6_500_000n, profitE6: -3_850_000n })
  expect(trade?.roundProfitE6).toBe(-3_850_000n)
})
