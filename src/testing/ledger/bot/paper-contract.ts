import { describe, expect, test } from 'vitest'
import type { PaperOrder, PaperPayout } from '../../../ledger/ports/paper-book.ts'
import type { OpenedStores } from '../opened-stores.ts'
import { sampleFill } from './sample-order.ts'

const unavailable = { code: 'store_unavailable' }
const order = (clientOrderId: string, given: Partial<PaperOrder> = {}): PaperOrder => ({
  clientOrderId,
  orderId: `paper-${clientOrderId}`,
  conditionId: 'market 1',
  tokenId: '11',
  side: 'BUY',
  atMs: 1_000,
  fills: [sampleFill('t', { state: 'confirmed' })],
  ...given,
})
const sale = (clientOrderId: string, sharesE6: bigint) =>
  order(clientOrderId, {
    side: 'SELL',
    fills: [sampleFill('s', { state: 'confirmed', sharesE6, notionalE6: 600_000n, feeE6: 1_000n })],
  })
const payout = (given: Partial<PaperPayout> = {}): PaperPayout => ({
  conditionId: 'market 1',
  tokenId: '11',
  sharesE6: 2_000_000n,
  amountE6: 2_000_000n,
  atMs: 9_000,
  ...given,
})
const BOUGHT = -1_074_944n

export function paperContract(opened: OpenedStores): void {
  describe('the paper account', () => {
    keepingContract(opened)
    countingContract(opened)
  })
}

function keepingContract({ open, openTwice, restart }: OpenedStores): void {
  test('keeps orders with their fills over a restart, and one per client order id', async () => {
    const { store, restarted } = await restart()
    const walked = order('a', { fills: [sampleFill('2'), sampleFill('1', { transactionHash: '0x1' })] })
    expect(await store.paper.add(walked)).toBe(true)
    expect(await store.paper.add(order('a', { side: 'SELL' }))).toBe(false)
    expect(await store.paper.add(order('empty', { fills: [] }))).toBe(true)
    const { paper } = await restarted()
    expect(await paper.find('a')).toEqual(walked)
    expect(await paper.find('empty')).toEqual(order('empty', { fills: [] }))
    expect(await paper.find('other')).toBeUndefined()
    expect(await paper.cashFlowE6()).toBe(2n * BOUGHT)
  })

  test('takes an order once from two processes, and 100 at once', async () => {
    const [first, second] = await openTwice()
    const adds = Array.from({ length: 100 }, (_, n) => (n % 2 ? first : second).paper.add(order('a')))
    expect((await Promise.all(adds)).filter(Boolean)).toHaveLength(1)
    expect(await first.paper.cashFlowE6()).toBe(BOUGHT)
    expect(await second.paper.ordersSince(0)).toHaveLength(1)
  })

  test('lists orders by time, then as they came', async () => {
    const { paper } = await open()
    for (const [id, atMs] of [
      ['b', 2_000],
      ['c', 2_000],
      ['a', 1_000],
      ['d', 2_000],
    ] as const)
      await paper.add(order(id, { atMs }))
    const since = async (sinceMs: number) =>
      (await paper.ordersSince(sinceMs)).map(({ clientOrderId }) => clientOrderId)
    expect([await since(0), await since(2_000), await since(2_001)]).toEqual([
      ['a', 'b', 'c', 'd'],
      ['b', 'c', 'd'],
      [],
    ])
  })

  test('cannot be changed from outside', async () => {
    const { paper } = await open()
    const given = order('a')
    await paper.add(given)
    for (const each of [given, await paper.find('a'), (await paper.ordersSince(0))[0]]) {
      Object.assign(each ?? {}, { side: 'SELL' })
      Object.assign(each?.fills[0] ?? {}, { feeE6: 0n })
    }
    Object.assign((await paper.holdings())[0] ?? {}, { sharesE6: 0n })
    expect(await paper.find('a')).toEqual(order('a'))
    expect(await paper.holdings()).toMatchObject([{ sharesE6: 2_000_000n }])
  })
}

function countingContract({ open, openTwice, restart }: OpenedStores): void {
  test('counts purchases with fees, sales less fees and payouts, and no fill that failed', async () => {
    const { store, restarted } = await restart()
    expect([await store.paper.cashFlowE6(), await store.paper.holdings()]).toEqual([0n, []])
    await store.paper.add(order('a', { fills: [sampleFill('t'), sampleFill('f', { state: 'failed' })] }))
    expect(await store.paper.cashFlowE6()).toBe(BOUGHT)
    await store.paper.add(sale('b', 500_000n))
    expect(await store.paper.cashFlowE6()).toBe(BOUGHT + 599_000n)
    await store.paper.add(order('c', { tokenId: '05', conditionId: 'market 0' }))
    const { paper } = await restarted()
    expect(await paper.holdings()).toEqual([
      { conditionId: 'market 0', tokenId: '05', sharesE6: 2_000_000n },
      { conditionId: 'market 1', tokenId: '11', sharesE6: 1_500_000n },
    ])
    expect(await paper.pay(payout({ sharesE6: 1_500_000n, amountE6: 1_500_000n }))).toBe(true)
    expect(await paper.cashFlowE6()).toBe(2n * BOUGHT + 599_000n + 1_500_000n)
    expect((await paper.holdings()).map(({ tokenId }) => tokenId)).toEqual(['05'])
  })

  test('pays a token once', async () => {
    const { paper } = await open()
    await paper.add(order('a'))
    await paper.add(order('b', { tokenId: '12' }))
    expect(await paper.pay(payout({ tokenId: '12', amountE6: 0n }))).toBe(true)
    const pays = Array.from({ length: 10 }, () => paper.pay(payout()))
    expect((await Promise.all(pays)).filter(Boolean)).toHaveLength(1)
    expect(await paper.payouts()).toEqual([payout({ tokenId: '12', amountE6: 0n }), payout()])
    expect(await paper.cashFlowE6()).toBe(2n * BOUGHT + 2_000_000n)
  })

  test('neither sells nor pays more shares than there are, and then nothing of it is written', async () => {
    const { paper } = await open()
    await expect(paper.add(sale('short', 1n))).rejects.toMatchObject(unavailable)
    await expect(paper.pay(payout())).rejects.toMatchObject(unavailable)
    await paper.add(order('a'))
    await expect(paper.add(sale('b', 2_000_001n))).rejects.toMatchObject(unavailable)
    await expect(paper.pay(payout({ sharesE6: 2_000_001n }))).rejects.toMatchObject(unavailable)
    expect([await paper.find('b'), await paper.payouts()]).toEqual([undefined, []])
    expect(await paper.cashFlowE6()).toBe(BOUGHT)
    await paper.add(sale('b', 2_000_000n))
    expect(await paper.holdings()).toEqual([])
  })

  test('of sales at once takes only what there are shares for, and misses nothing of other tokens', async () => {
    const [first, second] = await openTwice()
    await first.paper.add(order('a'))
    const both = (n: number) => (n % 2 ? first : second).paper
    const sales = Array.from({ length: 4 }, (_, n) => both(n).add(sale(`sale ${n}`, 1_000_000n)))
    const others = Array.from({ length: 6 }, (_, n) => both(n).add(order(`b${n}`, { tokenId: `2${n % 3}` })))
    const statuses = (await Promise.allSettled(sales)).map(({ status }) => status)
    await Promise.all(others)
    expect(statuses.toSorted()).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected'])
    expect(await first.paper.cashFlowE6()).toBe(7n * BOUGHT + 2n * 599_000n)
    const held = (tokenId: string) => ({ conditionId: 'market 1', tokenId, sharesE6: 4_000_000n })
    expect(await second.paper.holdings()).toEqual([held('20'), held('21'), held('22')])
  })
}
