import { describe, expect, test } from 'vitest'
import type { Placed } from '../../bot/brokers/broker.ts'
import type { PlannedOrder } from '../../ledger/ports/bot-book.ts'
import {
  type BrokerWorld,
  createOrders,
  FIRST_CASH_E6,
  fillsOf,
  lookToEnd,
  movedBy,
  placeToEnd,
  USD,
} from './broker-world.ts'

export type OpenBrokerWorld = () => Promise<BrokerWorld>
const FAR_MS = 130_000

/** What every broker does, whosever money it moves. */
export function brokerContract(open: OpenBrokerWorld): void {
  describe('orders', () => orderContract(open))
  describe('bounds', () => boundContract(open))
  describe('terms', () => termContract(open))
  describe('lost answers', () => lossContract(open))
  describe('redeeming', () => redeemContract(open))
}

/** The account has what it had, and what the orders say that they moved; nothing else. */
async function expectMoved(world: BrokerWorld, orders: readonly (readonly [PlannedOrder, Placed])[]) {
  const { tokens } = world.market()
  const cash = orders.reduce(
    (sum, [order, placed]) => sum + movedBy(order.side, placed).cashE6,
    FIRST_CASH_E6,
  )
  for (const tokenId of [tokens.up, tokens.down]) {
    const ofToken = orders.filter(([order]) => order.tokenId === tokenId)
    const sharesE6 = ofToken.reduce((sum, [order, placed]) => sum + movedBy(order.side, placed).sharesE6, 0n)
    expect(await world.counted(tokenId)).toEqual({ cashE6: cash, sharesE6 })
    expect(await world.broker.holding(tokenId)).toBe(sharesE6)
  }
  expect(await world.broker.cashE6()).toBe(cash)
}

function orderContract(open: OpenBrokerWorld): void {
  test('a purchase and a sale move what their fills say, to the last unit', async () => {
    const world = await open()
    const { buy, sell, tokens } = createOrders(world)
    expect(await world.broker.obstacles()).toEqual([])
    expect(Math.abs((await world.broker.clockSkewMs()) ?? Number.NaN)).toBeLessThanOrEqual(1_000)
    const purchase = buy(5n * USD)
    const bought = await placeToEnd(world, purchase)
    expect(bought).toMatchObject({ state: 'closed', orderId: await world.broker.orderIdOf(purchase) })
    for (const { priceE6 } of fillsOf(bought))
      expect(priceE6).toBeLessThanOrEqual(BigInt(purchase.priceE4) * 100n)
    const { notionalE6, sharesE6 } = movedBy('BUY', bought)
    expect(notionalE6).toBeGreaterThan(4n * USD)
    expect(notionalE6).toBeLessThanOrEqual(5n * USD)
    await expectMoved(world, [[purchase, bought]])
    const { conditionId } = world.market()
    expect(await world.broker.holdings()).toEqual([{ conditionId, tokenId: tokens.up, sharesE6 }])
    const sale = sell(sharesE6)
    const sold = await placeToEnd(world, sale)
    for (const { priceE6, feeE6 } of fillsOf(sold)) {
      expect(priceE6).toBeGreaterThanOrEqual(BigInt(sale.priceE4) * 100n)
      expect(feeE6).toBeGreaterThan(0n)
    }
    expect(fillsOf(sold).length).toBeGreaterThan(0)
    await expectMoved(world, [
      [purchase, bought],
      [sale, sold],
    ])
  })

  test('fills become final', async () => {
    const world = await open()
    const order = createOrders(world).buy(3n * USD)
    await placeToEnd(world, order)
    await world.pass(10_000)
    const states = fillsOf(await world.during(world.broker.find(order))).map(({ state }) => state)
    expect(new Set(states)).toEqual(new Set(['confirmed']))
  })

  test('the same client order id is one order: again, 50 at once, and after a restart', async () => {
    const world = await open()
    const order = createOrders(world).buy(4n * USD)
    const all = await world.during(Promise.all(Array.from({ length: 50 }, () => world.broker.place(order))))
    const ends = await Promise.all(all.map((placed) => placed.state))
    expect(new Set(ends).size).toBe(1)
    const first = await lookToEnd(world, order, all[0] as Placed)
    expect(first.state).toBe('closed')
    const again = await world.during(world.broker.place(order))
    const later = world.restarted()
    const restarted = await world.during(later.place(order))
    expect(fillsOf(again)).toEqual(fillsOf(first))
    expect(fillsOf(restarted)).toEqual(fillsOf(first))
    expect(fillsOf(await later.find(order))).toEqual(fillsOf(first))
    expect(world.ordersTaken()).toBe(1)
    await expectMoved(world, [[order, first]])
  })
}

function boundContract(open: OpenBrokerWorld): void {
  test('what is not there within the limit is not bought', async () => {
    const world = await open()
    const { buy, bestE4, tokens } = createOrders(world)
    const priceE4 = bestE4(tokens.up, 'BUY')
    const there = world.facing(tokens.up, 'BUY').filter((level) => level.priceE4 === priceE4)
    const worthE6 = there.reduce((sum, { sharesE6 }) => sum + (sharesE6 * BigInt(priceE4)) / 10_000n, 0n)
    const spendE6 = (worthE6 / USD + 2n) * USD
    expect(spendE6).toBeLessThan((FIRST_CASH_E6 * 9n) / 10n)
    const order = buy(spendE6, { priceE4 })
    const placed = await placeToEnd(world, order)
    expect(placed.state).toBe('closed')
    expect(fillsOf(placed).map(({ priceE6 }) => priceE6)).toEqual(
      fillsOf(placed).map(() => BigInt(priceE4) * 100n),
    )
    expect(movedBy('BUY', placed).notionalE6).toBe(worthE6)
    await expectMoved(world, [[order, placed]])
  })

  test('an order that nobody matches moves nothing', async () => {
    const world = await open()
    const { buy } = createOrders(world)
    const order = buy(5n * USD, { priceE4: world.market().tickE4 })
    expect(await placeToEnd(world, order)).toMatchObject({ state: 'refused' })
    expect(world.ordersTaken()).toBe(0)
    await expectMoved(world, [])
  })

  test('no more is spent than there is, in one order and in many at once', async () => {
    const world = await open()
    const { buy } = createOrders(world)
    expect(await placeToEnd(world, buy(FIRST_CASH_E6))).toMatchObject({ state: 'refused' })
    const orders = Array.from({ length: 8 }, () => buy(90n * USD))
    const placed = await world.during(Promise.all(orders.map((order) => world.broker.place(order))))
    expect(placed.some(({ state }) => state === 'refused')).toBe(true)
    const ends: [PlannedOrder, Placed][] = []
    for (const [at, order] of orders.entries())
      ends.push([order, await lookToEnd(world, order, placed[at] as Placed)])
    await expectMoved(world, ends)
    expect(await world.broker.cashE6()).toBeGreaterThanOrEqual(0n)
  })

  test('what is not held is not sold', async () => {
    const world = await open()
    const { buy, sell } = createOrders(world)
    expect(await placeToEnd(world, sell(1n * USD))).toMatchObject({ state: 'refused' })
    const purchase = buy(4n * USD)
    const bought = await placeToEnd(world, purchase)
    const { sharesE6 } = movedBy('BUY', bought)
    expect(await placeToEnd(world, sell(sharesE6 + 10_000n))).toMatchObject({ state: 'refused' })
    await expectMoved(world, [[purchase, bought]])
    const sales = [sell(sharesE6), sell(sharesE6)]
    const placed = await world.during(Promise.all(sales.map((sale) => world.broker.place(sale))))
    const ends: [PlannedOrder, Placed][] = [[purchase, bought]]
    for (const [at, sale] of sales.entries())
      ends.push([sale, await lookToEnd(world, sale, placed[at] as Placed)])
    expect(placed.filter(({ state }) => state === 'refused')).toHaveLength(1)
    await expectMoved(world, ends)
  })
}

function termContract(open: OpenBrokerWorld): void {
  test.each([
    ['a price between two ticks', { priceE4: 5_001 }],
    ['a price of nothing', { priceE4: 0 }],
    ['a price of a dollar', { priceE4: 10_000 }],
    ['less than a dollar', { spendE6: USD - 10_000n }],
    ['fractions of a cent', { spendE6: 5n * USD + 1n }],
    ['no size', { spendE6: undefined }],
    ['two sizes', { sharesE6: 5n * USD }],
  ] as const)('%s is refused, and nothing moves', async (_, terms) => {
    const world = await open()
    expect(await placeToEnd(world, createOrders(world).buy(5n * USD, terms))).toMatchObject({
      state: 'refused',
    })
    await expectMoved(world, [])
  })
}

function lossContract(open: OpenBrokerWorld): void {
  test('an order whose answer is lost is found, also after a restart, and not doubled', async () => {
    const world = await open()
    const order = createOrders(world).buy(4n * USD)
    world.lose('answers')
    const placed = await world.during(world.broker.place(order))
    expect(placed).toMatchObject({ state: 'open', orderId: await world.broker.orderIdOf(order) })
    world.lose(undefined)
    const found = await lookToEnd(world, order, placed, world.restarted())
    expect(found.state).toBe('closed')
    expect(fillsOf(found).length).toBeGreaterThan(0)
    expect(fillsOf(await world.during(world.broker.place(order)))).toEqual(fillsOf(found))
    expect(world.ordersTaken()).toBe(1)
    await expectMoved(world, [[order, found]])
  })

  test('an order that never arrived is refused once that is certain', async () => {
    const world = await open()
    const order = createOrders(world).buy(4n * USD)
    world.lose('orders')
    const placed = await world.during(world.broker.place(order))
    expect(placed.state).toBe('open')
    world.lose(undefined)
    await world.pass(FAR_MS)
    expect(await world.during(world.broker.find(order))).toMatchObject({ state: 'refused' })
    expect(world.ordersTaken()).toBe(0)
    await expectMoved(world, [])
  })
}

function redeemContract(open: OpenBrokerWorld): void {
  test('winning shares are paid once, a dollar each, after the market is resolved', async () => {
    const world = await open()
    const { buy, tokens } = createOrders(world)
    const { conditionId } = world.market()
    const buyOf = async (tokenId: string) =>
      movedBy('BUY', await placeToEnd(world, buy(4n * USD, { tokenId }))).sharesE6
    const [up, down] = [await buyOf(tokens.up), await buyOf(tokens.down)]
    expect(up > 0n && down > 0n).toBe(true)
    const redeem = (tokenId: string) => world.during(world.broker.redeem(conditionId, [tokenId]), 'redeeming')
    const startMs = world.market().windowStartS * 1000
    const paid = () => world.during(world.broker.findPaid(conditionId, startMs))
    expect(await redeem(tokens.up)).toMatchObject({ outcome: 'refused' })
    const winner = await world.resolve()
    const wonE6 = winner === tokens.up ? up : down
    const before = (await world.counted(winner)).cashE6
    expect(await paid()).toBeUndefined()
    expect(await redeem(winner)).toMatchObject({ outcome: 'paid', amountE6: wonE6 })
    expect(await paid()).toMatchObject({ amountE6: wonE6 })
    expect(await world.counted(winner)).toEqual({ cashE6: before + wonE6, sharesE6: 0n })
    expect(await world.broker.holding(winner)).toBe(0n)
    await redeem(winner)
    expect(await paid()).toMatchObject({ amountE6: wonE6 })
    expect(await world.broker.cashE6()).toBe(before + wonE6)
    expect((await world.counted(winner)).cashE6).toBe(before + wonE6)
    expect((await world.broker.holdings()).filter(({ tokenId }) => tokenId === winner)).toEqual([])
  })
}
