import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { silentLog } from '../../../core/log.ts'
import { usd } from '../../../core/money.ts'
import { sleep, systemClock } from '../../../core/time/clock.ts'
import { createManualClock } from '../../../core/time/manual-clock.ts'
import { HOUR_MS, MINUTE_MS } from '../../../core/time/time.ts'
import { createJsonRpc } from '../../../payments/chain/json-rpc.ts'
import { asking } from '../../../testing/tokens/simulated-tokens.ts'
import { type BaseChain, createBaseChain } from '../../../upstreams/base-chain/base-chain.ts'
import { createBlockscout } from '../../../upstreams/blockscout/client.ts'
import { createScoutHistory } from '../../../upstreams/blockscout/history.ts'
import { type EvmChain, startEvmChain } from '../../chains/evm/chain.ts'
import { callTogether, type Rpc } from '../../chains/evm/rpc-client.ts'
import { createSimulatedMarket } from '../../market/simulated-market.ts'
import { createBlockscoutServer } from '../../providers/blockscout/blockscout.ts'
import { createTokenWorld } from '../create-token-world.ts'
import { DRAINER, POOL_MANAGER, PROJECT_TOKEN, ROUTER, USDC } from '../known-addresses.ts'
import { holderOf } from '../pool-holder.ts'
import { simAddress } from '../sim-address.ts'
import { WALLET_LIST } from '../wallets/wallet-list.ts'
import { sendAs } from './chain-calls.ts'
import { createFindChainWallet } from './chain-wallets.ts'
import { openTokensOnChain, type TokensOnChain } from './tokens-on-chain.ts'

// In the first half of a cycle, when what was moved has not come back.
const START_MS = Date.UTC(2026, 4, 6, 12, 40)
let nowMs = START_MS
const market = createSimulatedMarket({ seed: 'on-chain', startMs: START_MS, cadence: { bookEveryMs: 1_000 } })
const world = createTokenWorld({ seed: 'on-chain', market: { ...market, nowMs: () => nowMs } })
const clock = createManualClock(START_MS)
const dataDir = mkdtempSync(join(tmpdir(), 'tollbook-tokens-'))
/** What happens to the next transaction: it does not reach the node, or its answer is lost. */
let fault: 'request lost' | 'answer lost' | undefined
const lossy = (rpc: Rpc): Rpc => {
  const call: Rpc = async (method, ...params) => {
    const lost = method === 'eth_sendTransactionSync' ? fault : undefined
    if (lost) fault = undefined
    const result = lost === 'request lost' ? undefined : await rpc(method, ...params)
    if (lost) throw new Error(lost)
    return result
  }
  return Object.assign(call, rpc.together && { together: rpc.together })
}
const open = async (chain: EvmChain) => {
  const opened = openTokensOnChain({
    rpc: lossy(chain.rpc),
    world,
    market: { nowMs: () => nowMs },
    clock,
    log: silentLog,
  })
  await opened.catchUp()
  return opened
}
const readerOf = ({ rpcUrl }: EvmChain): BaseChain =>
  createBaseChain({
    node: createJsonRpc({ rpcUrl, timeoutMs: 5_000 }),
    clock: systemClock,
    random: () => 0.5,
  })

const explorerServer = createBlockscoutServer(
  { nowMs: () => nowMs },
  world,
  () => (address, atMs) => createFindChainWallet(chain.rpc)(address, atMs),
)
const explorer = createBlockscout(asking(explorerServer))
const history = createScoutHistory(asking(explorerServer))
/** Those whose moves are no part of what the explorer counts. */
const isLarge = (address: string) =>
  WALLET_LIST.some((wallet) => wallet.address === address && wallet.kind !== 'other')

let chain: EvmChain
let tokens: TokensOnChain
let reader: BaseChain
let funded = 0
beforeAll(async () => {
  chain = await startEvmChain({ dataDir, log: silentLog })
  reader = readerOf(chain)
  const opening = open(chain).then((opened) => {
    tokens = opened
  })
  while (!tokens)
    await Promise.all([chain.fundUsdc(simAddress(`buyer/${funded++}`), usd('1')), sleep(systemClock, 1)])
  await opening
})
afterAll(async () => {
  tokens.close()
  await chain.close()
})

async function expectBalances(read: BaseChain) {
  for (const wallet of world.wallets) {
    const found = await read.balances(
      wallet.address,
      wallet.holdings.map(({ token }) => token),
    )
    expect([wallet.label, found]).toEqual([wallet.label, wallet.holdings.map(({ amount }) => amount)])
  }
}

describe('the tokens of the world on the local chain', () => {
  test('do not get in the way of play money for buyers', async () => {
    expect(funded).toBeGreaterThan(5)
    for (let i = 0; i < funded; i++) expect(await chain.usdcOf(simAddress(`buyer/${i}`))).toBe(usd('1'))
  })

  test('say who they are', async () => {
    for (const token of world.tokens) {
      const found = await reader.metadata(token.address)
      expect(found.decimals).toBe(token.decimals)
      expect(token.name.startsWith(found.name ?? '?')).toBe(true)
      expect(found.totalSupply).toBeGreaterThanOrEqual(token.totalSupply)
    }
  })

  test('are read although contracts beside them burn all gas, return too much or fail', async () => {
    const own = Array.from({ length: 96 }, (_, i) => simAddress(`burner/${i}`))
    const [flood, refusal, empty] = ['flood', 'refusal', 'empty'].map((name) => simAddress(`hostile/${name}`))
    // Turns in circles; returns 64 KiB; reverts.
    for (const burner of own) await chain.rpc('anvil_setCode', burner, '0x5b600056')
    await chain.rpc('anvil_setCode', flood, '0x620100006000f3')
    await chain.rpc('anvil_setCode', refusal, '0x60006000fd')
    let calls = 0
    const node = createJsonRpc({ rpcUrl: chain.rpcUrl, timeoutMs: 5_000 })
    const counted = createBaseChain({
      node: {
        call(method, params) {
          calls++
          return node.call(method, params)
        },
      },
      clock: systemClock,
      random: () => 0.5,
    })
    const [wallet] = world.wallets
    const [held] = wallet?.holdings ?? []
    const asked = [...own, flood, refusal, empty, held?.token].map(String)
    const found = await counted.balances(wallet?.address ?? '', asked)
    expect(found).toEqual([...own.map(() => undefined), 0n, undefined, undefined, held?.amount])
    expect(calls).toBe(1)
    expect((await counted.metadata(String(flood))).name).toBe('')
    counted.close()
  })

  test('are held by the wallets of the world, which have their ether, past and approvals', async () => {
    await expectBalances(reader)
    const victim = world.wallet(simAddress('wallet/victim'))
    if (!victim) throw new Error('no victim')
    const { rows } = await reader.approvalEvents(victim.address, 0)
    expect(rows.map(({ token, spender, amount }) => ({ token, spender, amount }))).toEqual(
      victim.approvals.map(({ token, spender, amount }) => ({ token, spender, amount })),
    )
    expect(await reader.allowances(victim.address, victim.approvals)).toEqual(
      victim.approvals.map(({ amount }) => amount),
    )
    expect(await reader.nonce(victim.address)).toBeGreaterThanOrEqual(victim.transactions)
    const whale = world.wallets.find(({ label }) => label === 'Breakwater Capital')
    expect(await reader.ether(whale?.address ?? '')).toBe(whale?.ether)
  })

  test('move when the large ones move them', async () => {
    const [first] = world.whaleMoves(START_MS + 1, START_MS + 4 * HOUR_MS)
    if (!first) throw new Error('nothing moves')
    nowMs = first.atMs - 1
    await tokens.catchUp()
    const from = await reader.blockNumber()
    nowMs = first.atMs
    await tokens.catchUp()
    const { rows } = await reader.transfers(first.token, from + 1, await reader.blockNumber())
    expect(rows).toMatchObject([{ from: first.from, to: first.to, amount: first.amount }])
    await expectBalances(reader)
  })

  test('small transfers that the explorer lists are on the node, and both count them alike', async () => {
    const [fromMs, fromBlock] = [nowMs, await reader.blockNumber()]
    const faults = ['request lost', undefined, 'answer lost'] as const
    for (let i = 0; i < 8; i++) {
      nowMs += 2 * MINUTE_MS
      fault ??= faults[i]
      await tokens.catchUp()
    }
    expect(fault).toBeUndefined()
    // What the node did not take is sent at the next look.
    await tokens.catchUp()
    const listed: { token: string; from: string; to: string; amount: bigint }[] = []
    for (const { address } of world.wallets) {
      const rows = (await explorer.tokenTransfers(address))?.rows ?? []
      for (const { from, to, token, amount } of rows.filter(({ atMs }) => atMs > fromMs))
        listed.push({ token: token.address, from: from.address, to: to.address, amount })
    }
    expect(listed.length).toBeGreaterThan(5)
    const head = await reader.blockNumber()
    for (const [token, ofIt] of Map.groupBy(listed, (row) => row.token)) {
      const { rows } = await reader.transfers(token, fromBlock + 1, head)
      for (const { from, to, amount } of ofIt)
        expect(rows).toContainEqual(expect.objectContaining({ from, to, amount }))
    }
    await expectBalances(reader)
    const people = world.wallets.filter(({ address }) => !isLarge(address))
    const asked = (method: string) =>
      callTogether(
        chain.rpc,
        people.map(({ address }) => [method, address, 'latest'] as const),
      )
    const [counts, balances] = [await asked('eth_getTransactionCount'), await asked('eth_getBalance')]
    for (const [i, { address, ether }] of people.entries()) {
      expect(await explorer.counters(address)).toMatchObject({ transactions: Number(counts[i]) })
      expect(BigInt(String(balances[i]))).toBe(ether)
    }
  })

  test('node and explorer agree about what is a contract', async () => {
    const pools = world.tokens.flatMap((token) => token.pools).map(holderOf)
    const contracts = [...world.tokens.map(({ address }) => address), ...pools, ROUTER, DRAINER, POOL_MANAGER]
    const people = world.wallets.map(({ address }) => address)
    const told = new Map<string, boolean | undefined>()
    for (const address of [...contracts, ...people])
      told.set(address, (await explorer.address(address))?.isContract)
    for (const address of people)
      for (const { from, to } of (await explorer.tokenTransfers(address))?.rows ?? [])
        for (const party of [from, to]) told.set(party.address, party.isContract)
    const codes = await callTogether(
      chain.rpc,
      [...told.keys()].map((address) => ['eth_getCode', address, 'latest'] as const),
    )
    expect([...told.keys()].map((address, i) => [address, codes[i] !== '0x'])).toEqual([...told])
    for (const address of contracts) expect(told.get(address)).toBe(true)
    for (const address of people) expect(told.get(address)).toBe(false)
  })

  test('who pays on the chain is known to the explorer', async () => {
    const [buyer, seller] = [simAddress('a buyer'), simAddress('a seller')]
    expect(await explorer.address(buyer)).toBeUndefined()
    await Promise.all([
      chain.fundUsdc(buyer, usd('10')),
      chain.fundProjectToken(buyer, 100n),
      chain.fundEth(buyer, 10n ** 18n),
    ])
    await sendAs(chain.rpc, buyer, { to: USDC, name: 'transfer', args: [seller, 10_000n] })
    expect(await explorer.address(buyer)).toMatchObject({ wei: 10n ** 18n, isContract: false })
    expect(await explorer.counters(buyer)).toMatchObject({ transactions: 1 })
    const held = (await history.holdingsPage(buyer))?.rows.map(({ token, amount }) => [token.address, amount])
    expect(held).toEqual([
      [USDC, 9_990_000n],
      [PROJECT_TOKEN, 100n * 10n ** 18n],
    ])
    const transfers = (await explorer.tokenTransfers(buyer))?.rows ?? []
    expect(transfers).toHaveLength(3)
    expect(transfers[0]).toMatchObject({ from: { address: buyer }, to: { address: seller }, amount: 10_000n })
    expect((await explorer.transactions(buyer))?.rows).toHaveLength(1)
    const paid = (await history.holdingsPage(seller))?.rows.map(({ token, amount }) => [
      token.address,
      amount,
    ])
    expect(paid).toEqual([[USDC, 10_000n]])
  })

  test('come out while the chain runs, and are drained', async () => {
    const known = new Set(world.tokens.map(({ address }) => address))
    nowMs += 2 * HOUR_MS
    await tokens.catchUp()
    const launched = world.tokens.filter(({ address }) => !known.has(address))
    expect(launched.length).toBeGreaterThan(0)
    for (const token of launched)
      expect(await reader.metadata(token.address)).toMatchObject({ symbol: token.symbol })
    await expectBalances(reader)
    const due = world.tokens.find(({ ruggedAtMs }) => (ruggedAtMs ?? 0) > nowMs)
    if (due?.ruggedAtMs === undefined) throw new Error('no rug is due')
    nowMs = due.ruggedAtMs - 5 * MINUTE_MS
    await tokens.catchUp()
    nowMs = due.ruggedAtMs + 1
    await tokens.catchUp()
    const creator = world.holders(due.address, nowMs).find(({ address }) => address === due.creator)
    expect(await reader.balances(due.creator, [due.address])).toEqual([creator?.amount])
  })

  test('are as the world says after a restart', async () => {
    tokens.close()
    await chain.close()
    nowMs += 90 * MINUTE_MS
    chain = await startEvmChain({ dataDir, log: silentLog })
    tokens = await open(chain)
    await expectBalances(readerOf(chain))
  })
})
