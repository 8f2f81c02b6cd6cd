import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OrderType, Side } from '@polymarket/clob-client-v2'
import type { Hex } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Rpc } from '../../src/sandbox/chains/evm/rpc-client.ts'
import type { Custody } from '../../src/sandbox/prediction/custody.ts'
import { createChainCustody } from '../../src/sandbox/prediction/custody-on-chain.ts'
import { lackOf } from '../../src/testing/missing.ts'
import { type LocalCustody, openLocalCustody } from '../../src/testing/sandbox/local-custody.ts'
import { ActivityRow } from '../../src/upstreams/polymarket/data/account-wire.ts'
import { redeemCall, splitCall } from '../../src/upstreams/polymarket/relayer/wallet-calls.ts'
import { connected, openTradingWorld, type TradingWorld } from './trading-world.ts'

// The venue, its chain or the way between them ends in the middle of something: afterwards both tell the same.

const USD = 1_000_000n
const DAY_MS = 86_400_000
const dir = mkdtempSync(join(tmpdir(), 'tollbook-kills-'))
let files = 0
const nextFile = () => join(dir, `${++files}.jsonl`)
let local: LocalCustody | undefined
const here = () => local as LocalCustody

beforeAll(async () => {
  local = await openLocalCustody()
})
afterAll(async () => {
  await local?.close()
  rmSync(dir, { recursive: true, force: true })
})
beforeEach((context) => {
  if (!local) context.skip(lackOf('anvil'))
})

/** A world whose chain may be reached another way. */
const open = (file: string, custody: Custody = here().custody) => {
  const { clock } = here()
  return openTradingWorld({ clock, custody } as LocalCustody, { seed: 'kills', file })
}

/** A market without a delay for takers, which is open for days. */
function lastingMarket({ venue, market }: TradingWorld) {
  const found = venue
    .markets()
    .find((each) => !each.series && each.tickE4 === 100 && each.endsMs - market.nowMs() > 3 * DAY_MS)
  if (!found) throw new Error('no such market')
  return { ...found, conditionId: found.conditionId as Hex }
}

async function openTrader(world: TradingWorld, money = 100n * USD) {
  const trader = await here().trader(money)
  const client = await connected(world, trader)
  const trade = async (side: Side, tokenID: string, amount: number) => {
    await client.createAndPostMarketOrder({ tokenID, amount, side }, undefined, OrderType.FAK, true)
    await world.accounts.settled()
  }
  const statuses = () => world.accounts.store.trades.all().map(({ status }) => status)
  return { ...trader, trade, statuses }
}

/** What account data says, next to what the chain holds. */
async function compare(world: TradingWorld, wallet: Hex, tokenIds: readonly string[]) {
  const { data: positions } = (await world.data(`/v2/positions?user=${wallet}`)).body
  const { data: activity } = (await world.data(`/v2/activity?user=${wallet}&limit=1000`)).body
  const held = await world.custody.sharesOf(wallet, tokenIds.map(BigInt))
  const told = tokenIds.map((id) =>
    positions.filter((row: { token_id: string }) => row.token_id === id).map(sizeOf),
  )
  expect(told.map(([size = 0]) => BigInt(Math.round(size * 1e6)))).toEqual(held)
  for (const row of activity) expect(ActivityRow.safeParse(row).error).toBeUndefined()
  return activity.map((row: { type: string; side: string }) => row.side || row.type).reverse()
}
const sizeOf = (row: { current_size: number }) => row.current_size

test('killed between the chain and the note: a purchase and a sale of one token both count, with their hash', async () => {
  const file = nextFile()
  const { custody } = here()
  let isKilled = false
  const dying: Custody = {
    ...custody,
    async settle(id, fills) {
      const hash = await custody.settle(id, fills)
      if (isKilled) throw new Error('nobody hears the answer')
      return hash
    },
  }
  const before = await open(file, dying)
  const { wallet, trade, statuses } = await openTrader(before)
  const { tokenIds } = lastingMarket(before)
  await trade(Side.BUY, tokenIds[0], 20)
  isKilled = true
  await trade(Side.BUY, tokenIds[0], 10)
  await trade(Side.SELL, tokenIds[0], 8)
  expect(statuses().slice(-2)).toEqual(['MATCHED', 'MATCHED'])
  copyFileSync(file, `${file}.killed`)
  await before.close()
  const after = await open(`${file}.killed`)
  const deeds = await compare(after, wallet, tokenIds)
  expect(new Set(deeds)).toEqual(new Set(['BUY', 'SELL']))
  expect(after.accounts.store.trades.all().map(({ status }) => status)).not.toContain('FAILED')
  await after.close()
})

test('a settlement that the chain does not answer for is neither failed nor lost', async () => {
  const { chain, clock } = here()
  let isSlow = false
  const rpc: Rpc = async (method, ...params) => {
    const reply = isSlow && method === 'eth_getLogs' ? undefined : await chain.rpc(method, ...params)
    if (isSlow && /^eth_(getLogs|sendTransactionSync)$/.test(method))
      throw new Error('aborted due to timeout')
    return reply
  }
  const world = await open(nextFile(), await createChainCustody({ rpc, clock }))
  const { wallet, trade, statuses } = await openTrader(world)
  const { tokenIds, conditionId } = lastingMarket(world)
  await world.custody.prepare(conditionId, [BigInt(tokenIds[0]), BigInt(tokenIds[1])])
  isSlow = true
  await trade(Side.BUY, tokenIds[0], 10)
  expect(new Set(statuses())).toEqual(new Set(['MATCHED']))
  await world.pass(2_000)
  expect(new Set(statuses())).toEqual(new Set(['MATCHED']))
  isSlow = false
  await world.pass(2_000)
  expect(new Set(statuses())).toEqual(new Set(['MINED']))
  expect(new Set(await compare(world, wallet, tokenIds))).toEqual(new Set(['BUY']))
  await world.close()
})

test('what a wallet did while nobody listened is read from the chain, once', async () => {
  const file = nextFile()
  const before = await open(file)
  const { wallet, owner } = await openTrader(before)
  const { tokenIds, conditionId } = before.openWindow()
  await before.custody.prepare(conditionId as Hex, [BigInt(tokenIds[0]), BigInt(tokenIds[1])])
  await here().execute(owner, [splitCall(conditionId as Hex, 50n * USD)])
  await before.close()
  await here().execute(owner, [splitCall(conditionId as Hex, 5n * USD)])
  await before.custody.resolve(conditionId as Hex, [USD, 0n])
  await here().execute(owner, [redeemCall(conditionId as Hex)])
  for (const _ of ['the first start', 'the second']) {
    const after = await open(file)
    expect(await compare(after, wallet, tokenIds)).toEqual(['SPLIT', 'SPLIT', 'REDEEM', 'REDEEM'])
    await after.close()
  }
})

test('where the chain lost its last blocks the accounts are set back to it', async () => {
  const file = nextFile()
  const { chain, execute } = here()
  const before = await open(file)
  const { wallet, owner, trade } = await openTrader(before)
  const { tokenIds, conditionId } = lastingMarket(before)
  await trade(Side.BUY, tokenIds[0], 20)
  await execute(owner, [splitCall(conditionId, 5n * USD)])
  const kept = await compare(before, wallet, tokenIds)
  const snapshot = await chain.rpc('evm_snapshot')
  await trade(Side.SELL, tokenIds[0], 8)
  await execute(owner, [splitCall(conditionId, 5n * USD)])
  await before.close()
  expect(await chain.rpc('evm_revert', snapshot)).toBe(true)
  const after = await open(file)
  expect(await compare(after, wallet, tokenIds)).toEqual(kept)
  await after.close()
})

test('a market that ended while nothing ran is resolved and paid, whatever it was and however long ago', async () => {
  const file = nextFile()
  const { clock, execute } = here()
  const before = await open(file)
  const { wallet, owner } = await openTrader(before)
  const nowMs = before.market.nowMs()
  const others = before.venue.markets().filter(({ series }) => !series)
  const daily = others.find(({ endsMs }) => endsMs > nowMs && endsMs - nowMs < DAY_MS)
  const monthly = others.find(({ endsMs }) => endsMs - nowMs > 5 * DAY_MS && endsMs - nowMs < 40 * DAY_MS)
  const held = [daily, monthly, before.openWindow('eth')].flatMap((each) => each ?? [])
  expect(held).toHaveLength(3)
  for (const { conditionId, tokenIds } of held) {
    await before.custody.prepare(conditionId as Hex, [BigInt(tokenIds[0]), BigInt(tokenIds[1])])
    await execute(owner, [splitCall(conditionId as Hex, 10n * USD)])
  }
  await before.close()
  clock.advanceTo(nowMs + 45 * DAY_MS)
  const after = await open(file)
  await after.pass(2_000)
  for (const { conditionId } of held) {
    const { data } = (await after.data(`/v2/resolutions?condition=${conditionId}`)).body
    expect(data).toMatchObject([{ status: 'resolved' }])
    await execute(owner, [redeemCall(conditionId as Hex)])
  }
  expect(await after.custody.collateralOf(wallet)).toBe(100n * USD)
  expect(after.venue.markets().filter(({ slug }) => held.some((each) => each.slug === slug))).toEqual([])
  await after.close()
})

test('an amount that is too large for a number costs nobody the memory of the venue', async () => {
  const file = nextFile()
  const before = await open(file)
  const { wallet, owner } = await openTrader(before)
  const { tokenIds, conditionId } = before.openWindow()
  await before.custody.prepare(conditionId as Hex, [BigInt(tokenIds[0]), BigInt(tokenIds[1])])
  await before.custody.mint(wallet, 10n ** 16n)
  await here().execute(owner, [splitCall(conditionId as Hex, 10n ** 16n + 1n)])
  const keys = before.accounts.store.keys.all()
  expect(keys).toHaveLength(1)
  await before.close()
  const after = await open(file)
  expect(after.accounts.store.keys.all()).toEqual(keys)
  const shares = after.accounts.store.events.all().map((event) => event.wallet === wallet && event.sharesE6)
  expect(shares).toContain(10n ** 16n + 1n)
  await after.close()
})
