import { describe, expect, test } from 'vitest'
import { plannedOrder } from '../../../testing/bot/planned-order.ts'
import type { OrderView, TradeView } from '../../../upstreams/polymarket/trading/trading.ts'
import { judgeOrder } from './judge-order.ts'
import { toFill } from './to-fill.ts'

const orderId = `0x${'ab'.repeat(32)}`
const shared = { orderId, tokenId: '123', conditionId: '0x1', side: 'BUY' } as const
const view = (state: OrderView['state'], matchedE6 = 0n): OrderView => ({
  ...shared,
  ...{ state, price: 0.5, sharesE6: 10_000_000n, matchedE6 },
})
const trade = (rest: Partial<TradeView> = {}): TradeView => ({
  ...shared,
  ...{ tradeId: 't', role: 'TAKER', price: 0.5, sharesE6: 10_000_000n, status: 'MATCHED' },
  ...{ transactionHash: undefined, matchedAtMs: 7 },
  ...rest,
})
const NOW = { isLongAgo: false, isWindowOver: false, isAccepted: false }
const LONG_AGO = { ...NOW, isLongAgo: true }
const WINDOW_OVER = { ...LONG_AGO, isWindowOver: true }
const ACCEPTED = { ...WINDOW_OVER, isAccepted: true }

test.each([
  ['nothing, just now', undefined, [], NOW, 'open'],
  ['nothing, long ago', undefined, [], LONG_AGO, 'refused'],
  ['nothing, though it took it', undefined, [], ACCEPTED, 'open'],
  ['only trades of what it took', undefined, [trade()], ACCEPTED, 'closed'],
  ['an order that rests after its window', view('live'), [], WINDOW_OVER, 'closed'],
  ['a delayed order after its window', view('delayed', 10_000_000n), [trade()], WINDOW_OVER, 'closed'],
  ['a state that we do not know, after its window', view('other'), [], WINDOW_OVER, 'closed'],
  ['the same with trades that are not told', view('other', 1n), [], WINDOW_OVER, 'open'],
  ['matched, and no trades, after its window', view('matched'), [], WINDOW_OVER, 'open'],
  ['what cannot be read', 'unreadable', [trade()], LONG_AGO, 'open'],
  ['what cannot be read, after its window', 'unreadable', [trade()], WINDOW_OVER, 'closed'],
  ['trades only, just now', undefined, [trade()], NOW, 'open'],
  ['trades only, long ago', undefined, [trade()], LONG_AGO, 'closed'],
  ['a delayed order', view('delayed'), [], LONG_AGO, 'open'],
  ['an order that rests', view('live'), [], LONG_AGO, 'open'],
  ['a state that we do not know', view('other', 10_000_000n), [trade()], LONG_AGO, 'open'],
  ['matched, and no trades yet', view('matched', 10_000_000n), [], LONG_AGO, 'open'],
  ['matched, and no amount', view('matched'), [], LONG_AGO, 'open'],
  ['matched, and some trades', view('matched', 10_000_001n), [trade()], LONG_AGO, 'open'],
  ['matched, and all trades', view('matched', 10_000_000n), [trade()], NOW, 'closed'],
  ['canceled with a part', view('canceled', 10_000_000n), [trade()], NOW, 'closed'],
  ['canceled with a part that is not told', view('canceled', 1n), [], NOW, 'open'],
  ['canceled', view('canceled'), [], NOW, 'closed'],
  ['unmatched', view('unmatched'), [], NOW, 'closed'],
  [
    'all trades, one of which failed',
    view('matched', 10_000_000n),
    [trade({ status: 'FAILED' })],
    NOW,
    'closed',
  ],
] as const)('where the venue shows %s', (_, seen, trades, age, state) => {
  const placed = judgeOrder(plannedOrder(), { orderId, view: seen, trades, ...age })
  expect(placed.state).toBe(state)
  if (placed.state !== 'refused') expect(placed.fills).toHaveLength(trades.length)
})

describe('a fill', () => {
  test.each([
    ['MATCHED', 'matched'],
    ['MINED', 'matched'],
    ['RETRYING', 'matched'],
    ['CONFIRMED', 'confirmed'],
    ['FAILED', 'failed'],
    ['toString', 'matched'],
  ])('that the venue calls %s is %s', (status, state) => {
    expect(toFill(trade({ status }), plannedOrder()).state).toBe(state)
  })

  test.each([
    ['a price of the book floors', 0.33, 10_010_003n, 3_303_300n, 154_920n],
    ['the fee as seen on chain', 0.36, 108_000_000n, 38_880_000n, 1_741_820n],
    // 3.294118 dollars for 10.294118 shares, as the venue tells them.
    ['an average price gives back what was paid', 0.3200000233, 10_294_118n, 3_294_118n, 156_800n],
  ])('%s', (_, price, sharesE6, notionalE6, feeE6) => {
    expect(toFill(trade({ price, sharesE6 }), plannedOrder())).toMatchObject({ notionalE6, feeE6 })
  })

  test('of several makers is the sum of what each gave, where all of it is told', () => {
    const makers = [
      { price: 0.4, sharesE6: 6_000_000n },
      { price: 1 - 0.55, sharesE6: 4_000_000n },
    ]
    const average = { price: 0.42, makers }
    expect(toFill(trade(average), plannedOrder())).toMatchObject({
      ...{ priceE6: 420_000n, sharesE6: 10_000_000n, notionalE6: 4_200_000n, feeE6: 100_800n + 69_300n },
    })
    // What is told of a part only says nothing about the rest.
    expect(toFill(trade({ ...average, sharesE6: 11_000_000n }), plannedOrder())).toMatchObject({
      ...{ priceE6: 420_000n, notionalE6: 4_620_000n, feeE6: 187_570n },
    })
  })
})
