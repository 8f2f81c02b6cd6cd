import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OrderType, Side } from '@polymarket/clob-client-v2'
import { encodeFunctionData, parseAbi } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { lackOf } from '../../src/testing/missing.ts'
import { type LocalCustody, openLocalCustody } from '../../src/testing/sandbox/local-custody.ts'
import { createPolyData } from '../../src/upstreams/polymarket/data/client.ts'
import { POLYMARKET_CONTRACTS } from '../../src/upstreams/polymarket/relayer/addresses.ts'
import { mergeCall, redeemCall, splitCall } from '../../src/upstreams/polymarket/relayer/wallet-calls.ts'
import {
  type ClobKeys,
  readUserFrame,
  subscribeUserFrame,
} from '../../src/upstreams/polymarket/socket/user-wire.ts'
import { createUpstream } from '../../src/upstreams/rules/create-upstream.ts'
import { createHostGates } from '../../src/upstreams/rules/host-gate.ts'
import {
  areMissing,
  connected,
  openTradingWorld,
  recorded,
  shapeOf,
  type TradingWorld,
} from './trading-world.ts'

const USD = 1_000_000n
const SINK = '0x000000000000000000000000000000000000dEaD'
let local: LocalCustody | undefined
let world: TradingWorld | undefined
const here = () => ({ local: local as LocalCustody, world: world as TradingWorld })
const dir = mkdtempSync(join(tmpdir(), 'tollbook-accounts-'))

beforeAll(async () => {
  local = await openLocalCustody()
  if (local) world = await openTradingWorld(local, { seed: 'accounts', file: join(dir, 'accounts.jsonl') })
})
afterAll(async () => {
  await world?.close()
  await local?.close()
  rmSync(dir, { recursive: true, force: true })
})
beforeEach((context) => {
  if (!local) context.skip(lackOf('anvil'))
})

type Client = Awaited<ReturnType<typeof connected>>

const buy = (client: Client, tokenID: string, amount: number) =>
  client.createAndPostMarketOrder(
    { tokenID, amount, side: Side.BUY, orderType: OrderType.FAK, price: 0.97 },
    undefined,
    OrderType.FAK,
  )

test('where a match cannot be settled the trade has failed and nothing moved', async () => {
  const { local, world } = here()
  const trader = await local.trader(20n * USD)
  const client = await connected(world, trader)
  const { tokenIds, conditionId } = world.openWindow()
  expect((await buy(client, tokenIds[0], 15)).status).toBe('delayed')
  const abi = parseAbi(['function transfer(address to, uint256 value)'])
  const data = encodeFunctionData({ abi, functionName: 'transfer', args: [SINK, 12n * USD] })
  await local.execute(trader.owner, [{ target: POLYMARKET_CONTRACTS.collateral, value: 0n, data }])
  await world.pass(2_000)
  const trades = await client.getTrades({ market: conditionId })
  expect(trades.length).toBeGreaterThan(0)
  for (const trade of trades) expect(trade).toMatchObject({ status: 'FAILED', transaction_hash: '' })
  expect(await world.custody.collateralOf(trader.wallet)).toBe(8n * USD)
  expect(await world.custody.sharesOf(trader.wallet, tokenIds.map(BigInt))).toEqual([0n, 0n])
  expect((await world.data(`/v2/activity?user=${trader.wallet}`)).body.data).toEqual([])
  expect(
    (await client.createAndPostOrder({ tokenID: tokenIds[0], price: 0.02, size: 400, side: Side.BUY }))
      .status,
  ).toBe('live')
})

test('two orders at once do not spend the same money', async () => {
  const { local, world } = here()
  const trader = await local.trader(10n * USD)
  const client = await connected(world, trader)
  const [tokenID] = world.openWindow().tokenIds
  const order = { tokenID, price: 0.02, size: 300, side: Side.BUY }
  const replies = await Promise.all([1, 2, 3].map(() => client.createAndPostOrder(order)))
  expect(replies.map(({ status }) => String(status)).sort()).toEqual(['400', '400', 'live'])
})

test('a list of orders has a reply for each, and orders of one market are canceled together', async () => {
  const { local, world } = here()
  const trader = await local.trader(10n * USD)
  const client = await connected(world, trader)
  const [btc, eth] = [world.openWindow('btc'), world.openWindow('eth')]
  const order = (tokenID: string, size: number) =>
    client.createOrder({ tokenID, price: 0.02, size, side: Side.BUY })
  const replies = await client.postOrders([
    { order: await order(btc.tokenIds[0], 10), orderType: OrderType.GTC },
    { order: await order(btc.tokenIds[0], 1), orderType: OrderType.GTC },
    { order: await order(eth.tokenIds[1], 10), orderType: OrderType.GTC },
  ])
  expect(replies.map(({ success }: { success: boolean }) => success)).toEqual([true, false, true])
  expect(replies[1]?.errorMsg).toMatch(/lower than the minimum/)
  expect(await client.cancelMarketOrders({ market: btc.conditionId })).toEqual({
    canceled: [replies[0]?.orderID],
    not_canceled: {},
  })
  expect((await client.getOpenOrders()).map(({ id }) => id)).toEqual([replies[2]?.orderID])
})

test('who began to send heartbeats and stops loses the orders', async () => {
  const { local, world } = here()
  const trader = await local.trader(10n * USD)
  const client = await connected(world, trader)
  const [tokenID] = world.openWindow().tokenIds
  await client.createAndPostOrder({ tokenID, price: 0.02, size: 10, side: Side.BUY })
  await world.pass(15_000)
  const { heartbeat_id } = await client.postHeartbeat()
  await world.pass(8_000)
  const next = await client.postHeartbeat(heartbeat_id)
  expect(await client.postHeartbeat(heartbeat_id)).toMatchObject({
    heartbeat_id: next.heartbeat_id,
    status: 400,
  })
  await world.pass(8_000)
  expect(await client.getOpenOrders()).toHaveLength(1)
  await world.pass(4_000)
  expect(await client.getOpenOrders()).toEqual([])
})

test('the user channel tells orders and trades of the account whose key it was shown', async () => {
  const { local, world } = here()
  const trader = await local.trader(30n * USD)
  const client = await connected(world, trader)
  const listen = async (auth: ClobKeys) => {
    const socket = new WebSocket(`${world.internet.urls.CLOB_WS}/user`)
    const frames: Record<string, unknown>[] = []
    let closed: number | undefined
    socket.on('message', (bytes) => frames.push(JSON.parse(String(bytes))))
    socket.on('close', (code) => {
      closed = code
    })
    await new Promise((resolve) => socket.once('open', resolve))
    socket.send(subscribeUserFrame(auth))
    await world.internet.drained()
    return { socket, frames, closed: () => closed }
  }
  const { key: apiKey = '', secret = '', passphrase = '' } = client.creds ?? {}
  const own = await listen({ apiKey, secret, passphrase })
  const wrong = await listen({ apiKey, secret, passphrase: 'x' })
  const other = (await connected(world, await local.trader())).creds ?? {
    key: '',
    secret: '',
    passphrase: '',
  }
  const stranger = await listen({ ...other, apiKey: other.key })
  const [tokenID] = world.openWindow().tokenIds
  const resting = await client.createAndPostOrder({ tokenID, price: 0.02, size: 10, side: Side.BUY })
  await client.cancelOrder({ orderID: resting.orderID })
  await buy(client, tokenID, 5)
  await world.pass(8_000)
  await world.internet.drained()
  expect(wrong.closed()).toBe(1008)
  expect(stranger.frames).toEqual([])
  expect(own.frames.slice(0, 2)).toMatchObject([
    {
      event_type: 'order',
      type: 'PLACEMENT',
      id: resting.orderID,
      status: 'LIVE',
      original_size: '10',
      price: '0.02',
    },
    { event_type: 'order', type: 'CANCELLATION', id: resting.orderID, status: 'CANCELED', size_matched: '0' },
  ])
  const read = own.frames.flatMap((frame) => readUserFrame(JSON.stringify(frame)))
  expect(read.map(({ type }) => type)).toEqual(own.frames.map(({ event_type }) => event_type))
  const trades = own.frames.filter(({ event_type }) => event_type === 'trade')
  if (!areMissing) {
    expect(shapeOf(own.frames[0])).toEqual(shapeOf(recorded('polymarket-ws/py_order_placement.json')))
    expect(shapeOf(own.frames[1])).toEqual(shapeOf(recorded('polymarket-ws/py_order_cancel.json')))
    // The recording of a taker is older than the makers' side.
    const maker = recorded('polymarket-ws/py_user_trade3.json')
    expect(shapeOf(trades.at(-1))).toEqual(shapeOf(maker))
  }
  const states = trades.filter(({ id }) => id === trades[0]?.id).map(({ status }) => status)
  expect(states).toEqual(['MATCHED', 'MINED', 'CONFIRMED'])
  for (const { socket } of [own, wrong, stranger]) socket.terminate()
})

test('account data: splits, merges, trades and positions, in pages that overlap nowhere', async () => {
  const { local, world } = here()
  const trader = await local.trader(60n * USD)
  const client = await connected(world, trader)
  const { tokenIds, conditionId } = world.openWindow('sol')
  await client.createAndPostOrder({ tokenID: tokenIds[0], price: 0.02, size: 10, side: Side.BUY })
  await local.execute(trader.owner, [splitCall(conditionId as `0x${string}`, 10n * USD)])
  await local.execute(trader.owner, [mergeCall(conditionId as `0x${string}`, 4n * USD)])
  await buy(client, tokenIds[0], 6)
  await world.pass(2_000)
  const whole = (await world.data(`/v2/activity?user=${trader.wallet}&limit=1000`)).body
  expect(whole.pagination).toEqual({ limit: 1000, offset: 0, has_more: false, next_cursor: null })
  expect(
    whole.data.map((row: { type: string }) => row.type).filter((type: string) => type !== 'TRADE'),
  ).toEqual(['MERGE', 'SPLIT'])
  const [trade] = whole.data
  expect(trade).toMatchObject({ type: 'TRADE', side: 'BUY', outcome: 'Up', outcome_index: 0 })
  const fee = trade.size * 0.07 * trade.price * (1 - trade.price)
  expect(trade.usdc_size).toBeCloseTo(trade.size * trade.price + fee, 4)
  const rows: unknown[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await world.data(`/v2/activity?user=${trader.wallet}&limit=1&cursor=${cursor}`)
    rows.push(...body.data)
    cursor = body.pagination.next_cursor
  }
  expect(rows).toEqual(whole.data)
  const positions = (await world.data(`/v2/positions?user=${trader.wallet}&status=MERGEABLE`)).body.data
  expect(positions).toHaveLength(2)
  const held = await world.custody.sharesOf(trader.wallet, tokenIds.map(BigInt))
  for (const row of positions) expect(row.current_size).toBe(Number(held[row.outcome_index]) / 1e6)
  expect((await world.data(`/v2/trades?user=${trader.wallet}`)).body.data.length).toBe(whole.data.length - 2)
  const value = (await world.data(`/v2/value?user=${trader.wallet}`)).body
  expect(value.data.value).toBeGreaterThan(0)

  const gate = createHostGates({ clock: local.clock, random: () => 0 }).of(world.internet.urls.POLY_DATA)
  const baseUrl = world.internet.urls.POLY_DATA
  const upstream = createUpstream({
    provider: 'poly_data',
    baseUrl,
    clock: local.clock,
    random: () => 0,
    gate,
  })
  const data = createPolyData(upstream)
  const { rows: read } = await data.activity(trader.wallet)
  expect(read.map(({ kind, shares, usd }) => [kind, shares, usd])).toEqual(
    whole.data.map((row: Record<string, unknown>) => [row.type, row.size, row.usdc_size]),
  )
  expect((await data.positions(trader.wallet)).map(({ shares }) => shares)).toEqual(
    positions.map((row: { current_size: number }) => row.current_size),
  )
  expect(await data.trades(trader.wallet, { takerOnly: true })).toHaveLength(whole.data.length - 2)
  expect((await data.value(trader.wallet)).valueUsd).toBe(value.data.value)
  expect((await data.status()).lagS).toBe(0)
  upstream.close()
  if (areMissing) return
  const shapes = [
    ['v2_activity.json', whole],
    ['v2_trades_taker_only.json', (await world.data(`/v2/trades?user=${trader.wallet}&limit=1`)).body],
    ['v2_positions_open.json', (await world.data(`/v2/positions?user=${trader.wallet}&limit=1`)).body],
    ['v2_value.json', value],
  ] as const
  for (const [file, ours] of shapes) {
    const theirs = recorded(`polymarket-data/${file}`)
    expect(shapeOf(ours.data)).toEqual(shapeOf(theirs.data))
    expect(Object.keys(ours.pagination ?? {})).toEqual(Object.keys(theirs.pagination ?? {}))
  }
  const status = (await world.data('/v2/status')).body
  expect(Object.keys(status.data)).toEqual(Object.keys(recorded('polymarket-data/v2_status.json').data))
})

test.each([
  ['/v2/activity', 400],
  ['/v2/activity?user=0x12', 400],
  [`/v2/activity?user=${SINK}&limit=1001`, 400],
  [`/v2/activity?user=${SINK}&limit=-1`, 400],
  [`/v2/activity?user=${SINK}&type=NONSENSE`, 400],
  [`/v2/activity?user=${SINK}&cursor=eyJ4Ijoxfq`, 400],
  [`/v2/activity?user=${SINK}&cursor=%00`, 400],
  [`/v2/positions?user=${SINK}&status=x`, 400],
  ['/v2/trades?taker_only=2', 400],
  ['/v2/nothing', 404],
])('account data refuses %s', async (path, status) => {
  const reply = await here().world.data(path)
  expect(reply.status).toBe(status)
  expect(reply.body).toEqual({
    error: expect.any(String),
    code: expect.any(String),
    retryable: false,
    trace_id: expect.stringMatching(/^[0-9a-f]{32}$/),
  })
})

test('a restart keeps keys, trades and activity, frees what was reserved, and pays what ended meanwhile', async () => {
  const { local, world: before } = here()
  const trader = await local.trader(60n * USD)
  const client = await connected(before, trader)
  const { tokenIds, conditionId } = before.openWindow('xrp')
  await buy(client, tokenIds[0], 6)
  await before.pass(2_000)
  const resting = await client.createAndPostOrder({
    tokenID: tokenIds[1],
    price: 0.02,
    size: 2_000,
    side: Side.BUY,
  })
  expect(resting.status).toBe('live')
  const trades = await client.getTrades({ market: conditionId })
  const activity = (await before.data(`/v2/activity?user=${trader.wallet}`)).body.data
  expect(activity.length).toBeGreaterThan(0)
  const [held = 0n] = await before.custody.sharesOf(trader.wallet, [BigInt(tokenIds[0])])
  await before.close()

  // The window ends and is resolved while nothing runs.
  local.clock.advanceTo(before.market.nowMs() + 30 * 60_000)
  world = await openTradingWorld(local, { seed: 'accounts', file: join(dir, 'accounts.jsonl') })
  const after = world
  await after.pass(2_000)
  const again = await connected(after, trader)
  expect(again.creds).toEqual(client.creds)
  expect(await again.getTrades({ market: conditionId })).toMatchObject(
    trades.map(({ id, size, transaction_hash }) => ({ id, size, transaction_hash, status: 'CONFIRMED' })),
  )
  expect((await after.data(`/v2/activity?user=${trader.wallet}`)).body.data).toEqual(activity)
  expect(await again.getOrder(resting.orderID)).toMatchObject({ status: 'CANCELED' })
  expect(await again.getOpenOrders()).toEqual([])
  const collateral = await after.custody.collateralOf(trader.wallet)
  await local.execute(trader.owner, [redeemCall(conditionId as `0x${string}`)])
  const { winner } = after.venue.findByCondition(conditionId) ?? {}
  const paid = (await after.custody.collateralOf(trader.wallet)) - collateral
  expect([winner, paid]).toEqual(winner === 0 ? [0, held] : [1, 0n])
  const { body } = await after.data(`/v2/resolutions?condition=${conditionId}`)
  expect(body.data).toMatchObject([{ status: 'resolved', payouts: winner === 0 ? [1e6, 0] : [0, 1e6] }])
  if (!areMissing) expect(shapeOf(body)).toEqual(shapeOf(recorded('polymarket-data/v2_resolutions.json')))
})
