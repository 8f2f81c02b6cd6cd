import { describe, expect, test } from 'vitest'
import type { OrderRow, PlannedOrder } from '../../../ledger/ports/bot-book.ts'
import type { OpenedStores } from '../opened-stores.ts'
import { asPlanned, sampleDecision, sampleFill, sampleOrder, sampleSale } from './sample-order.ts'

const unavailable = { code: 'store_unavailable' }
const idsOf = (orders: readonly OrderRow[]) => orders.map(({ clientOrderId }) => clientOrderId)

export function orderContract(opened: OpenedStores): void {
  describe('orders of the bot', () => {
    planContract(opened)
    togetherContract(opened)
    stepContract(opened)
  })
}

function planContract({ open, openTwice, restart, keepsOrder }: OpenedStores): void {
  test('are kept as they were planned, also after a restart', async () => {
    const { store, restarted } = await restart()
    const large = sampleSale('b', {
      broker: 'polymarket',
      origin: 'operator',
      by: 'ü key',
      sharesE6: 9_007_199_254_740_993n,
      maxFeeE6: 0n,
      fee: undefined,
      outcome: 'DOWN',
      createdMs: 1_001,
    })
    const forced = sampleOrder('d', { origin: 'boss' })
    expect(await store.bot.planOrder(sampleOrder('a'), {})).toBe(true)
    expect(await store.bot.planOrder(large, {})).toBe(true)
    expect(await store.bot.planOrder(forced, {})).toBe(true)
    const { bot } = await restarted()
    expect(await bot.findOrder('a')).toEqual(asPlanned(sampleOrder('a'), 1))
    expect(await bot.findOrder('b')).toEqual(asPlanned(large, 2))
    expect(await bot.findOrder('d')).toEqual(asPlanned(forced, 3))
    expect(await bot.findOrder('c')).toBeUndefined()
  })

  test('with one client order id are one, whatever else differs; of 100 at once one is written', async () => {
    const { bot } = await open()
    const plans = Array.from({ length: 100 }, (_, n) =>
      bot.planOrder(sampleOrder('a', { conditionId: `market ${n}`, createdMs: n }), {}),
    )
    const outcomes = await Promise.all(plans)
    expect(outcomes.filter(Boolean)).toHaveLength(1)
    const written = outcomes.indexOf(true)
    if (keepsOrder) expect(written).toBe(0)
    expect(await bot.findOrder('a')).toMatchObject({ conditionId: `market ${written}`, createdMs: written })
    expect(await bot.ordersSince(0)).toHaveLength(1)
  })

  test('of two processes are one too', async () => {
    const [first, second] = await openTwice()
    const plans = [first, second].map(({ bot }) => bot.planOrder(sampleOrder('a'), {}))
    expect((await Promise.all(plans)).filter(Boolean)).toHaveLength(1)
    expect(await second.bot.openOrders()).toHaveLength(1)
  })
}

function togetherContract({ open, openTwice, keepsOrder }: OpenedStores): void {
  test('come with their decision and the use of a boss signal, or none of it is written', async () => {
    const { bot } = await open()
    const { seq } = await bot.addBossSignal({
      ...{ atMs: 5, by: 'k', direction: 'UP', coin: 'BTC' },
      ...{ reason: undefined, windowStartS: 300 },
    })
    const usedMs = async () => (await bot.findBossSignal('BTC', 300))?.usedMs
    const plan = (id: string, attempt: number, bossSignal: number | undefined = seq) =>
      bot.planOrder(sampleOrder(id), { decision: sampleDecision({ attempt }), bossSignal })
    const written = async () => [
      idsOf(await bot.ordersSince(0)),
      (await bot.decisionsOf('BTC', 300)).map(({ attempt }) => attempt),
      await usedMs(),
    ]
    await bot.addDecision(sampleDecision())
    expect(await plan('a', 1)).toBe(false)
    expect(await written()).toEqual([[], [1], undefined])
    expect(await plan('a', 2)).toBe(true)
    expect(await written()).toEqual([['a'], [1, 2], 1_000])
    expect(await plan('a', 3)).toBe(false)
    expect(await plan('b', 3)).toBe(false)
    expect(await plan('b', 3, 99)).toBe(false)
    expect(await written()).toEqual([['a'], [1, 2], 1_000])
    expect(await bot.planOrder(sampleOrder('b'), { decision: sampleDecision({ attempt: 3 }) })).toBe(true)
  })

  test('of two processes that decide the same, one decision is written, with its order or without', async () => {
    const [first, second] = await openTwice()
    for (let attempt = 1; attempt <= 10; attempt++) {
      const decision = sampleDecision({ attempt })
      const [isDecided, isPlanned] = await Promise.all([
        first.bot.addDecision(decision),
        second.bot.planOrder(sampleOrder(`order ${attempt}`), { decision }),
      ])
      expect([isDecided, isPlanned].filter(Boolean)).toHaveLength(1)
      expect((await first.bot.findOrder(`order ${attempt}`)) !== undefined).toBe(isPlanned)
    }
    expect(await first.bot.decisionsOf('BTC', 300)).toHaveLength(10)
  })

  test.each<[string, PlannedOrder]>([
    ['a purchase without dollars', sampleOrder('x', { spendE6: undefined })],
    ['a purchase of dollars and shares', sampleOrder('x', { sharesE6: 1n })],
    ['a purchase of nothing', sampleOrder('x', { spendE6: 0n })],
    ['a sale without shares', sampleSale('x', { sharesE6: undefined })],
    ['a sale of dollars', sampleSale('x', { spendE6: 1n })],
    ['a price of a dollar', sampleOrder('x', { priceE4: 10_000 })],
    ['a price of nothing', sampleOrder('x', { priceE4: 0 })],
    ['a fee below zero', sampleOrder('x', { maxFeeE6: -1n })],
  ])('%s is refused, with its decision, and its neighbours are written', async (_, order) => {
    const { bot } = await open()
    const outcomes = await Promise.allSettled([
      bot.planOrder(sampleOrder('before'), {}),
      bot.planOrder(order, { decision: sampleDecision() }),
      bot.planOrder(sampleOrder('after'), {}),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(outcomes[1]).toMatchObject({ reason: unavailable })
    const ids = idsOf(await bot.openOrders())
    expect(keepsOrder ? ids : ids.toSorted().reverse()).toEqual(['before', 'after'])
    expect(await bot.decisionsOf('BTC', 300)).toEqual([])
  })
}

function stepContract({ open, restart }: OpenedStores): void {
  test('are named once: the same name again changes nothing, another is refused', async () => {
    const { bot } = await open()
    for (const id of ['a', 'b']) await bot.planOrder(sampleOrder(id), {})
    await bot.planOrder(sampleOrder('real', { broker: 'polymarket' }), {})
    await bot.nameOrder('a', '0xa')
    await bot.nameOrder('a', '0xa')
    await bot.nameOrder('real', '0xa')
    await expect(bot.nameOrder('a', '0xother')).rejects.toMatchObject(unavailable)
    await expect(bot.nameOrder('b', '0xa')).rejects.toMatchObject(unavailable)
    expect((await bot.ordersSince(0)).map(({ orderId }) => orderId)).toEqual(['0xa', undefined, '0xa'])
  })

  test('keep when the venue first said that it had taken them, over a restart', async () => {
    const { store, restarted } = await restart()
    await store.bot.planOrder(sampleOrder('a'), {})
    await store.bot.noteAccepted('a', 2_000)
    await store.bot.noteAccepted('a', 3_000)
    expect(await (await restarted()).bot.findOrder('a')).toMatchObject({ state: 'open', acceptedMs: 2_000 })
  })

  test('are closed once, and never opened again', async () => {
    const { bot } = await open()
    await bot.planOrder(sampleOrder('a'), {})
    await bot.closeOrder('a', 3_000, 'refused: no match')
    await bot.closeOrder('a', 4_000)
    await bot.nameOrder('a', '0xa')
    await bot.putFills('a', [sampleFill('t')])
    expect(await bot.planOrder(sampleOrder('a'), {})).toBe(false)
    expect(await bot.findOrder('a')).toMatchObject({
      ...{ state: 'closed', closedMs: 3_000, note: 'refused: no match', orderId: '0xa' },
      fills: [sampleFill('t')],
    })
    expect(await bot.openOrders()).toEqual([])
  })

  test('that are not there cannot be named, accepted, filled or closed', async () => {
    const { bot } = await open()
    for (const step of [
      () => bot.nameOrder('x', '0x'),
      () => bot.noteAccepted('x', 1),
      () => bot.putFills('x', [sampleFill('t')]),
      () => bot.closeOrder('x', 1),
    ])
      await expect(step()).rejects.toThrow('there is no order x')
  })
}
