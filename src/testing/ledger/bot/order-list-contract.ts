import { describe, expect, test } from 'vitest'
import type { OrderRow } from '../../../ledger/ports/bot-book.ts'
import type { OpenedStores } from '../opened-stores.ts'
import { asPlanned, sampleFill, sampleOrder, sampleTrade } from './sample-order.ts'

const idsOf = (orders: readonly OrderRow[]) => orders.map(({ clientOrderId }) => clientOrderId)

export function orderListContract(opened: OpenedStores): void {
  describe('orders of the bot', () => {
    listContract(opened)
    stillWantedContract(opened)
    copyContract(opened)
  })
}

function listContract({ open }: OpenedStores): void {
  test('are listed by window and coin, by age, and while they are open', async () => {
    const { bot } = await open()
    await bot.planOrder(sampleOrder('a', { createdMs: 3_000 }), {})
    await bot.planOrder(sampleOrder('b', { createdMs: 1_000, coin: 'ETH' }), {})
    await bot.planOrder(sampleOrder('c', { createdMs: 2_000, windowStartS: 600 }), {})
    await bot.planOrder(sampleOrder('d', { createdMs: 2_000 }), {})
    await bot.closeOrder('c', 9_000)
    expect(idsOf(await bot.ordersOf('BTC', 300))).toEqual(['a', 'd'])
    expect(idsOf(await bot.ordersOf('SOL', 300))).toEqual([])
    expect(idsOf(await bot.ordersSince(0))).toEqual(['b', 'c', 'd', 'a'])
    expect(idsOf(await bot.ordersSince(2_000))).toEqual(['c', 'd', 'a'])
    expect(idsOf(await bot.ordersSince(3_001))).toEqual([])
    expect(idsOf(await bot.openOrders())).toEqual(['a', 'b', 'd'])
  })

  test('are unsettled while they are open or hold something, with the others of their market, until it is settled', async () => {
    const { bot } = await open()
    const unsettled = async () => idsOf(await bot.unsettledOrders())
    await bot.planOrder(sampleOrder('b', { conditionId: 'market 2' }), {})
    await bot.planOrder(sampleOrder('a'), {})
    await bot.planOrder(sampleOrder('c', { conditionId: 'market 2' }), {})
    await bot.planOrder(sampleOrder('real', { broker: 'polymarket' }), {})
    expect(await unsettled()).toEqual(['b', 'a', 'c', 'real'])
    for (const id of ['a', 'b', 'real']) await bot.closeOrder(id, 2_000)
    expect(await unsettled()).toEqual(['b', 'c'])
    await bot.putFills('a', [sampleFill('late')])
    expect(await unsettled()).toEqual(['b', 'a', 'c'])
    await bot.putFills('a', [sampleFill('late', { state: 'failed' })])
    expect(await unsettled()).toEqual(['b', 'c'])
    await bot.settle(sampleTrade({ conditionId: 'market 2', broker: 'polymarket' }))
    expect(await unsettled()).toEqual(['b', 'c'])
    await bot.settle(sampleTrade({ conditionId: 'market 2' }))
    expect(await unsettled()).toEqual([])
    await bot.putFills('c', [sampleFill('late')])
    await bot.planOrder(sampleOrder('d', { conditionId: 'market 2' }), {})
    expect(await unsettled()).toEqual([])
  })
}

function stillWantedContract({ open }: OpenedStores): void {
  test('are unfinished while open or with a fill that may fail, whether their market is settled or not', async () => {
    const { bot } = await open()
    const unfinished = async () => idsOf(await bot.unfinishedOrders())
    for (const id of ['b', 'a', 'c']) await bot.planOrder(sampleOrder(id), {})
    expect(await unfinished()).toEqual(['b', 'a', 'c'])
    await bot.putFills('a', [sampleFill('t'), sampleFill('u', { state: 'confirmed' })])
    await bot.putFills('c', [sampleFill('v', { state: 'failed' })])
    for (const id of ['a', 'b', 'c']) await bot.closeOrder(id, 2_000)
    await bot.settle(sampleTrade())
    expect(await unfinished()).toEqual(['a'])
    await bot.putFills('a', [sampleFill('t', { state: 'confirmed' })])
    expect(await unfinished()).toEqual([])
  })

  test('of a token are remembered for ever, each under its broker', async () => {
    const { bot } = await open()
    await bot.planOrder(sampleOrder('a'), {})
    await bot.closeOrder('a', 2_000)
    await bot.settle(sampleTrade())
    expect(await bot.hasOrdered('paper', 'market 1', '11')).toBe(true)
    expect(await bot.hasOrdered('paper', 'market 1', '12')).toBe(false)
    expect(await bot.hasOrdered('paper', 'market 2', '11')).toBe(false)
    expect(await bot.hasOrdered('polymarket', 'market 1', '11')).toBe(false)
  })
}

function copyContract({ open }: OpenedStores): void {
  test('cannot be changed from outside, neither what was given nor what was got', async () => {
    const { bot } = await open()
    const order = sampleOrder('a', { fee: { rate: 0.07, exponent: 1 } })
    const fill = sampleFill('t')
    await bot.planOrder(order, {})
    await bot.putFills('a', [fill])
    Object.assign(order, { conditionId: 'other' })
    Object.assign(order.fee ?? {}, { rate: 9 })
    Object.assign(fill, { feeE6: 9n })
    for (const got of [await bot.findOrder('a'), (await bot.openOrders())[0]]) {
      Object.assign(got ?? {}, { state: 'closed' })
      Object.assign(got?.fills[0] ?? {}, { feeE6: 9n })
      Object.assign(got?.fee ?? {}, { rate: 9 })
    }
    expect(await bot.findOrder('a')).toEqual({ ...asPlanned(sampleOrder('a'), 1), fills: [sampleFill('t')] })
  })
}
