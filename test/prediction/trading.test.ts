import { setImmediate as nextTurn } from 'node:timers/promises'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { secret } from '../../src/core/secret.ts'
import type { Clock } from '../../src/core/time/clock.ts'
import { lackOf } from '../../src/testing/missing.ts'
import { type LocalCustody, openLocalCustody } from '../../src/testing/sandbox/local-custody.ts'
import { approvalCalls } from '../../src/upstreams/polymarket/relayer/wallet-calls.ts'
import { createTrading } from '../../src/upstreams/polymarket/trading/create-trading.ts'
import type { TradeOrder } from '../../src/upstreams/polymarket/trading/trading.ts'
import { openTradingWorld, type TradingWorld } from './trading-world.ts'

const USD = 1_000_000n
let local: LocalCustody | undefined
let world: TradingWorld | undefined
const here = () => ({ local: local as LocalCustody, world: world as TradingWorld })

beforeAll(async () => {
  local = await openLocalCustody()
  if (local) world = await openTradingWorld(local, { seed: 'trading' })
})
afterAll(async () => {
  await world?.close()
  await local?.close()
})
beforeEach((context) => {
  if (!local) context.skip(lackOf('anvil'))
})

async function openTrader(amount: bigint) {
  const { local, world } = here()
  const key = generatePrivateKey()
  const owner = privateKeyToAccount(key)
  const wallet = world.custody.walletOf(owner.address)
  await world.custody.deploy(owner.address)
  await world.custody.mint(wallet, amount)
  await local.execute(owner, approvalCalls())
  const input = { clobUrl: world.internet.urls.CLOB, ownerKey: secret(key), depositWallet: wallet }
  const { clock, expire } = createPatientClock()
  return { wallet, key, expire, trading: createTrading({ ...input, clock }) }
}

/** Waits of the client are over at once; its time limits are over when the test says so. */
function createPatientClock() {
  const limits = new Set<() => void>()
  const clock: Clock = {
    now: () => here().world.market.nowMs(),
    after(ms, task) {
      if (ms < SHORTEST_LIMIT_MS) {
        const soon = setImmediate(task)
        return () => clearImmediate(soon)
      }
      limits.add(task)
      return () => limits.delete(task)
    },
    every: () => () => {},
  }
  return { clock, expire: () => limits.forEach((task) => void task()) }
}
const SHORTEST_LIMIT_MS = 5_000

/** Lets time run out for each request that the venue has taken and does not answer. */
async function unanswered<T>(work: Promise<T>, expire: () => void): Promise<T> {
  const { outages } = here().world.internet
  let seen = outages.count('clob', 'rest')
  let isDone = false
  const done = work.finally(() => {
    isDone = true
  })
  while (!isDone) {
    await nextTurn()
    if (outages.count('clob', 'rest') === seen) continue
    seen = outages.count('clob', 'rest')
    expire()
  }
  return done
}

const limitOrder = (clientOrderId: string, rest: Partial<TradeOrder> = {}): TradeOrder => ({
  clientOrderId,
  createdMs: 1_767_614_400_000,
  tokenId: here().world.openWindow().tokenIds[0],
  side: 'BUY',
  kind: 'GTC',
  priceE4: 300,
  tickE4: 100,
  size: { sharesE6: 20n * USD },
  ...rest,
})

test('places, reads, repeats without doubling, and cancels', async () => {
  const { trading, wallet } = await openTrader(50n * USD)
  await trading.connect()
  expect((await trading.balance()).collateralE6).toBe(50n * USD)
  expect((await trading.balance()).allowanceE6).toBeGreaterThan(50n * USD)
  expect(await trading.serverTimeMs()).toBe(here().world.market.nowMs())
  const placed = await trading.place(limitOrder('a'))
  expect(placed).toMatchObject({ state: 'live', makingE6: undefined, takingE6: undefined })
  expect(await trading.order(placed.orderId)).toMatchObject({
    state: 'live',
    sharesE6: 20n * USD,
    price: 0.03,
  })
  expect(await trading.place(limitOrder('a'))).toMatchObject({
    state: 'live',
    orderId: placed.orderId,
  })
  expect((await trading.place(limitOrder('b'))).orderId).not.toBe(placed.orderId)
  expect((await trading.openOrders()).map(({ orderId }) => orderId)).toContain(placed.orderId)
  expect(here().world.venue.orders(wallet)).toHaveLength(2)
  expect(await trading.cancel(placed.orderId)).toBe(true)
  expect(await trading.cancel(placed.orderId)).toBe(false)
  expect(await trading.order(`0x${'0'.repeat(64)}`)).toBeUndefined()
})

test('a purchase is told by its trades, and shares arrive', async () => {
  const { world } = here()
  const { trading, wallet } = await openTrader(50n * USD)
  const order = limitOrder('buy', { kind: 'FAK', priceE4: 9_700, size: { spendE6: 10n * USD } })
  const sinceMs = world.market.nowMs()
  const placed = await trading.place(order)
  expect(placed.state).toBe('delayed')
  await world.pass(2_000)
  expect((await trading.order(placed.orderId))?.state).toBe('matched')
  const trades = await trading.trades(sinceMs)
  expect(trades.length).toBeGreaterThan(0)
  expect(new Set(trades.map(({ orderId }) => orderId))).toEqual(new Set([placed.orderId]))
  const bought = trades.reduce((sum, { sharesE6 }) => sum + sharesE6, 0n)
  expect(await trading.sharesE6(order.tokenId)).toBe(bought)
  const spent = 50n * USD - (await trading.balance()).collateralE6
  const fees = world.venue.fills(wallet).reduce((sum, { feeE6 }) => sum + BigInt(feeE6), 0n)
  expect(spent - fees).toBeLessThanOrEqual(10n * USD)
  expect(spent - fees).toBeGreaterThan(9n * USD)
})

test.each(['html', 'truncate', 'empty', 'wrong_types'] as const)(
  'an order whose reply is spoiled (%s) is found by its id',
  async (kind) => {
    const { world } = here()
    const { trading, wallet } = await openTrader(50n * USD)
    await trading.connect()
    world.internet.outages.set('clob', 'rest', { kind, path: '/order' })
    const placing = trading.place(limitOrder(kind))
    for (let turn = 0; world.venue.orders(wallet).length === 0 && turn < 10_000; turn++) await nextTurn()
    world.internet.outages.set('clob', 'rest')
    expect(await placing).toMatchObject({ state: 'live' })
    expect(world.venue.orders(wallet)).toHaveLength(1)
  },
)

test.each(['hang', 'reset'] as const)(
  'a venue that gives no answer (%s) leaves the outcome unknown',
  async (kind) => {
    const { world } = here()
    const { trading, key, expire } = await openTrader(50n * USD)
    await trading.connect()
    world.internet.outages.set('clob', 'rest', { kind })
    const placed = await unanswered(trading.place(limitOrder(kind)), expire)
    const failed = await unanswered(
      trading.balance().catch((error: Error) => error),
      expire,
    )
    world.internet.outages.set('clob', 'rest')
    expect(placed).toMatchObject({ state: 'unknown', orderId: expect.stringMatching(/^0x/) })
    expect(failed).toMatchObject({ name: 'TradingError', fault: 'unknown' })
    expect(JSON.stringify([placed, String(failed)])).not.toContain(key.slice(2))
    expect((await trading.place(limitOrder(kind))).state).toBe('live')
  },
)

test('what the venue refuses is told apart, in its words', async () => {
  const { world } = here()
  const { trading } = await openTrader(5n * USD)
  const refusalOf = async (order: TradeOrder) => {
    const { state, ...rest } = await trading.place(order)
    return { state, ...rest, orderId: undefined }
  }
  const refused = { state: 'refused', orderId: undefined, retryAfterMs: undefined }
  expect(await refusalOf(limitOrder('poor', { size: { sharesE6: 200n * USD } }))).toEqual({
    ...refused,
    fault: 'refused',
    reason: 'not enough balance / allowance',
  })
  world.venue.setMode('restart')
  expect(await refusalOf(limitOrder('early'))).toMatchObject({ fault: 'restarting', retryAfterMs: 15_000 })
  world.venue.setMode('disabled')
  expect(await refusalOf(limitOrder('off'))).toMatchObject({
    fault: 'disabled',
    reason: 'trading is disabled',
  })
  world.venue.setMode('on')
  world.internet.outages.set('clob', 'rest', { kind: 'limit', path: '/order', retryAfter: '7' })
  expect(await refusalOf(limitOrder('fast'))).toMatchObject({ fault: 'limited', retryAfterMs: 7_000 })
  world.internet.outages.set('clob', 'rest')
  await expect(trading.cancel('../order')).rejects.toThrow(RangeError)
})
