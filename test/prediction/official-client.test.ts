import { AssetType, OrderType, Side } from '@polymarket/clob-client-v2'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { lackOf } from '../../src/testing/missing.ts'
import { type LocalCustody, openLocalCustody } from '../../src/testing/sandbox/local-custody.ts'
import { redeemCall } from '../../src/upstreams/polymarket/relayer/wallet-calls.ts'
import { connected, officialClient, openTradingWorld, type TradingWorld } from './trading-world.ts'

const USD = 1_000_000n
let local: LocalCustody | undefined
let world: TradingWorld | undefined
const here = () => ({ local: local as LocalCustody, world: world as TradingWorld })

beforeAll(async () => {
  local = await openLocalCustody()
  if (local) world = await openTradingWorld(local, { seed: 'official-client' })
})
afterAll(async () => {
  await world?.close()
  await local?.close()
})
beforeEach((context) => {
  if (!local) context.skip(lackOf('anvil'))
})

test('keys are made once and derived afterwards, and a wrong secret opens nothing', async () => {
  const { local, world } = here()
  const trader = await local.trader()
  const plain = officialClient(world, trader)
  const creds = await plain.createApiKey()
  expect(creds.key).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  expect(await plain.createApiKey()).toEqual({})
  expect(await plain.deriveApiKey()).toEqual(creds)
  expect(await plain.createOrDeriveApiKey()).toEqual(creds)
  expect(await officialClient(world, trader, { creds }).getApiKeys()).toEqual({ apiKeys: [creds.key] })
  for (const wrong of [{ secret: `${creds.secret.slice(0, -4)}AAA=` }, { passphrase: 'x' }, { key: 'x' }]) {
    const client = officialClient(world, trader, { creds: { ...creds, ...wrong } })
    expect(await client.getOpenOrders().catch((error) => error)).toBeInstanceOf(TypeError)
    expect(await client.getApiKeys()).toEqual({ error: 'Unauthorized/Invalid api key', status: 401 })
  }
})

/** What the wallet has on chain of both outcomes and of collateral. */
async function onChain(wallet: `0x${string}`, tokenIds: readonly [string, string]) {
  const { custody } = here().world
  const [shares, collateral] = await Promise.all([
    custody.sharesOf(wallet, tokenIds.map(BigInt)),
    custody.collateralOf(wallet),
  ])
  return { shares, collateral }
}

const bestAsk = (world: TradingWorld, tokenId: string) => (world.venue.book(tokenId)?.asks[0]?.[0] ?? 0) / 1e4
const bestBid = (world: TradingWorld, tokenId: string) => (world.venue.book(tokenId)?.bids[0]?.[0] ?? 0) / 1e4

test('a limit order rests, is read and is canceled; its money is reserved in between', async () => {
  const { local, world } = here()
  const trader = await local.trader(10n * USD)
  const client = await connected(world, trader)
  const { tokenIds, conditionId } = world.openWindow()
  const [tokenID] = tokenIds
  expect(await client.getTickSize(tokenID)).toBe('0.01')
  expect((await client.getOrderBook(tokenID)).asset_id).toBe(tokenID)
  expect(await client.getBalanceAllowance({ asset_type: AssetType.COLLATERAL })).toMatchObject({
    balance: '10000000',
  })
  const placed = await client.createAndPostOrder({ tokenID, price: 0.02, size: 300, side: Side.BUY })
  expect(placed).toMatchObject({ success: true, errorMsg: '', status: 'live', takingAmount: '' })
  const order = await client.getOrder(placed.orderID)
  expect(order).toMatchObject({
    ...{ id: placed.orderID, status: 'LIVE', maker_address: trader.wallet, market: conditionId },
    ...{
      original_size: '300',
      size_matched: '0',
      price: '0.02',
      side: 'BUY',
      outcome: 'Up',
      order_type: 'GTC',
    },
  })
  expect(await client.getOpenOrders({ market: conditionId })).toEqual([order])
  const second = { tokenID, price: 0.01, size: 500, side: Side.BUY }
  expect(await client.createAndPostOrder(second)).toEqual({
    error: 'not enough balance / allowance',
    status: 400,
  })
  expect(await client.cancelOrder({ orderID: placed.orderID })).toEqual({
    canceled: [placed.orderID],
    not_canceled: {},
  })
  expect(await client.cancelOrder({ orderID: placed.orderID })).toEqual({
    canceled: [],
    not_canceled: { [placed.orderID]: "order can't be found - already canceled or matched" },
  })
  expect(await client.createAndPostOrder(second)).toMatchObject({ status: 'live' })
  expect((await client.cancelAll()).canceled).toHaveLength(1)
  expect(await client.getOpenOrders()).toEqual([])
  expect((await onChain(trader.wallet, tokenIds)).collateral).toBe(10n * USD)
})

test('marketable orders fill, move exactly cost and fee, resolve and pay', async () => {
  const { local, world } = here()
  const trader = await local.trader(200n * USD)
  const client = await connected(world, trader)
  const { tokenIds, conditionId } = world.openWindow()
  const [up, down] = tokenIds

  const bought = await client.createAndPostMarketOrder(
    { tokenID: up, amount: 20, side: Side.BUY, orderType: OrderType.FAK, price: 0.97 },
    undefined,
    OrderType.FAK,
  )
  expect(bought).toMatchObject({ success: true, status: 'delayed' })
  expect(await client.cancelOrder({ orderID: bought.orderID })).toMatchObject({ canceled: [] })
  await world.pass(1_000)
  expect(await client.getOrder(bought.orderID)).toMatchObject({ status: 'MATCHED' })
  const crossing = await client.createAndPostOrder(
    { tokenID: down, price: Math.min(0.99, bestAsk(world, down) + 0.02), size: 25, side: Side.BUY },
    undefined,
    OrderType.GTC,
  )
  expect(crossing.status).toBe('delayed')
  await world.pass(1_000)
  const killed = await client.createAndPostMarketOrder(
    { tokenID: up, amount: 15, side: Side.SELL, orderType: OrderType.FOK, price: bestBid(world, up) - 0.03 },
    undefined,
    OrderType.FOK,
  )
  expect(killed).toMatchObject({ success: true })
  await world.pass(6_000)

  const trades = await client.getTrades({ market: conditionId })
  expect(trades.length).toBeGreaterThanOrEqual(3)
  expect(new Set(trades.map(({ status }) => status))).toEqual(new Set(['CONFIRMED']))
  expect(trades.every(({ transaction_hash }) => /^0x[0-9a-f]{64}$/.test(transaction_hash ?? ''))).toBe(true)
  let [cash, held] = [200n * USD, [0n, 0n]]
  for (const fill of world.venue.fills(trader.wallet)) {
    const cost = (BigInt(fill.priceE4) * BigInt(fill.sharesE6)) / 10_000n
    const sign = fill.side === 'BUY' ? 1n : -1n
    cash -= sign * cost + BigInt(fill.feeE6)
    held = held.map((shares, index) =>
      tokenIds[index] === fill.tokenId ? shares + sign * BigInt(fill.sharesE6) : shares,
    )
  }
  expect(await onChain(trader.wallet, tokenIds)).toEqual({ shares: held, collateral: cash })
  expect(cash).toBeLessThan(200n * USD)
  const shares = { asset_type: AssetType.CONDITIONAL, token_id: up }
  const told = async () => (await client.getBalanceAllowance(shares)).balance
  expect(await told()).toBe('0')
  await client.updateBalanceAllowance(shares)
  expect(await told()).toBe(String(held[0]))

  await world.pass(15 * 60_000)
  const { winner } = world.venue.findByCondition(conditionId) ?? {}
  expect(winner).toBeTypeOf('number')
  expect((await world.data(`/v2/positions?user=${trader.wallet}&status=REDEEMABLE`)).body.data).toHaveLength(
    1,
  )
  await local.execute(trader.owner, [redeemCall(conditionId as `0x${string}`)])
  const won = held[winner ?? 0] ?? 0n
  expect(await onChain(trader.wallet, tokenIds)).toEqual({ shares: [0n, 0n], collateral: cash + won })
  const { body } = await world.data(`/v2/activity?user=${trader.wallet}&type=REDEEM`)
  expect(body.data.map((row: { usdc_size: number }) => row.usdc_size).sort()).toEqual([0, Number(won) / 1e6])
  const after = await client.createAndPostOrder({ tokenID: up, price: 0.5, size: 5, side: Side.BUY })
  expect(after).toMatchObject({ error: `the orderbook ${up} does not exist`, status: 400 })
})

test('what the venue refuses is told in its words', async () => {
  const { local, world } = here()
  const trader = await local.trader(20n * USD)
  const client = await connected(world, trader)
  const [tokenID] = world.openWindow('eth').tokenIds
  const limit = { tokenID, price: 0.05, size: 10, side: Side.BUY }
  const errorOf = async (work: Promise<unknown>) => (await work) as { error?: string; status?: number }

  const signed = await client.createOrder(limit)
  expect(await client.postOrder(signed)).toMatchObject({ status: 'live' })
  expect(await errorOf(client.postOrder(signed))).toEqual({
    error: expect.stringMatching(/^order 0x[0-9a-f]{64} is invalid\. Duplicated\.$/),
    status: 400,
  })
  const forged = { ...(await client.createOrder(limit)), makerAmount: '400000' }
  expect(await errorOf(client.postOrder({ ...forged, takerAmount: '8000000' } as typeof signed))).toEqual({
    error: 'invalid signature',
    status: 400,
  })
  expect((await errorOf(client.createAndPostOrder({ ...limit, size: 4 }))).error).toMatch(
    /lower than the minimum: 5/,
  )
  expect(await errorOf(client.createAndPostOrder({ ...limit, size: 10_000 }))).toEqual({
    error: 'not enough balance / allowance',
    status: 400,
  })
  expect(await errorOf(client.createAndPostOrder({ ...limit, side: Side.SELL }))).toMatchObject({
    status: 400,
  })
  expect((await errorOf(client.createAndPostOrder(limit, undefined, OrderType.GTD))).error).toMatch(
    /expiration/,
  )

  const stale = officialClient(world, trader, { creds: client.creds })
  stale.tickSizes[tokenID] = '0.001'
  expect((await errorOf(stale.createAndPostOrder({ ...limit, price: 0.055 }))).error).toMatch(
    /breaks minimum tick size rule|max accuracy/,
  )

  const eoa = officialClient(world, trader, {
    creds: client.creds,
    signatureType: 0,
    funderAddress: undefined,
  })
  expect(await errorOf(eoa.createAndPostOrder(limit))).toEqual({
    error: 'maker address not allowed, please use the deposit wallet flow',
    status: 400,
  })
  const other = await local.trader(20n * USD)
  const foreign = officialClient(
    world,
    { owner: trader.owner, wallet: other.wallet },
    { creds: client.creds },
  )
  expect(await errorOf(foreign.createAndPostOrder(limit))).toEqual({
    error: 'the order signer address has to be the address of the API KEY',
    status: 400,
  })
  const former = await eoa.createOrder(limit, { tickSize: '0.01', version: 1 })
  expect(await errorOf(client.postOrder(former))).toEqual({ error: 'order_version_mismatch', status: 400 })

  world.venue.setMode('restart')
  expect(await errorOf(client.createAndPostOrder(limit))).toEqual({ error: {}, status: 425 })
  world.venue.setMode('disabled')
  expect(await errorOf(client.createAndPostOrder(limit))).toEqual({
    error: 'trading is disabled',
    status: 503,
  })
  world.venue.setMode('cancel_only')
  expect(await errorOf(client.createAndPostOrder(limit))).toEqual({
    error: 'trading is disabled',
    status: 503,
  })
  expect((await client.cancelAll()).canceled).toHaveLength(1)
  world.venue.setMode('on')
})
