import { describe, expect, test } from 'vitest'
import { openTokens } from '../../src/app/intel/tokens.ts'
import { openWallets } from '../../src/app/intel/wallets.ts'
import { createManualClock } from '../../src/core/time/manual-clock.ts'
import type { WalletPorts } from '../../src/intel/wallets/facts/wallet-ports.ts'
import type { WalletAnalysis } from '../../src/intel/wallets/wallet-analysis.ts'
import { DRAINER } from '../../src/sandbox/tokens/known-addresses.ts'
import { WALLET_LIST } from '../../src/sandbox/tokens/wallets/wallet-list.ts'
import { createSimulatedTokens } from '../../src/testing/tokens/simulated-tokens.ts'

const freely = () => {}

const NOW_MS = Date.UTC(2026, 4, 6, 12)
const clock = createManualClock(NOW_MS)
const { world, ...sources } = createSimulatedTokens({ seed: 'wallets', atMs: NOW_MS, clock })
const tokens = openTokens({ ...sources, clock, random: () => 0.5 })

/** The world as a node tells it. */
const chain: WalletPorts['chain'] = {
  codeOf: async (address) => (world.token(address) || world.contract(address) ? '0x60' : '0x'),
  ether: async (wallet) => world.wallet(wallet)?.ether ?? 0n,
  haveEtherOrCode: async (addresses) =>
    addresses.map(
      (address) => (world.wallet(address)?.ether ?? 0n) > 0n || world.contract(address) !== undefined,
    ),
  nonce: async (wallet) => world.wallet(wallet)?.transactions ?? 0,
  blockNumber: async () => 1_000,
  approvalEvents: async () => ({ rows: [], fromBlock: 0 }),
  allowances: async (wallet, given) =>
    given.map(
      ({ token, spender }) =>
        world.wallet(wallet)?.approvals.find((own) => own.token === token && own.spender === spender)?.amount,
    ),
}

const { wallets, walletLookup } = openWallets({
  chain,
  hasNode: true,
  explorer: sources.blockscout,
  history: sources.history,
  tokens: tokens.facts,
  clock,
  random: () => 0.5,
})

/** Prices wait a little to be asked for together. */
async function passing<T>(waiting: Promise<T>): Promise<T> {
  let isDone = false
  const done = waiting.finally(() => {
    isDone = true
  })
  done.catch(() => {})
  while (!isDone) {
    await new Promise(setImmediate)
    clock.advance(25)
  }
  return done
}

async function read(name: string): Promise<WalletAnalysis> {
  const address = WALLET_LIST.find((wallet) => wallet.name === name)?.address
  if (!address) throw new RangeError(`no wallet ${name}`)
  return passing(wallets.analyse(address))
}
const codes = ({ risk }: WalletAnalysis) => risk.reasons.map(({ code }) => code)

test('every wallet of the sandbox exists, is read whole and scored between 0 and 100', async () => {
  for (const { name, address, holdings } of WALLET_LIST) {
    const { firstSeenMs = 0, transactions = 0 } = world.wallet(address) ?? {}
    await passing(walletLookup.checkExists(address, freely))
    const found = await read(name)
    expect(found.score.value, name).toBeGreaterThanOrEqual(0)
    expect(found.score.value, name).toBeLessThanOrEqual(100)
    expect(found.wealth.holdings, name).toHaveLength(holdings.length)
    expect(found.activity.sent, name).toBe(transactions)
    if (transactions > 0) expect(found.activity.firstSeenMs, name).toBeLessThanOrEqual(firstSeenMs)
    expect(found.activity.hasGap, name).toBe(false)
    expect(Object.values(found.parts).filter(({ status }) => status !== 'fresh')).toEqual([])
  }
})

describe('their stories show', () => {
  test('the robbed one: by whom, and that the thief still may', async () => {
    const victim = await read('victim')
    expect(victim.risk.rating).toBe('critical')
    expect(codes(victim)).toContain('drained')
    expect(codes(victim)).toContain('approval_to_unknown')
    expect(victim.approvals?.open.filter(({ spender }) => spender === DRAINER)).toHaveLength(3)
    expect(victim.score.value).toBeLessThanOrEqual(10)
  })
  test('the collector of scams is not rich', async () => {
    const { wealth, risk } = await read('scam-collector')
    const scams = wealth.holdings.filter(({ valuation }) => valuation === 'scam')
    expect(scams.length).toBeGreaterThanOrEqual(4)
    expect(scams.every(({ valueUsd }) => valueUsd === 0)).toBe(true)
    expect(risk.reasons.map(({ code }) => code)).toContain('scam_tokens')
  })
  test('whales and exchanges are rich and named', async () => {
    const [whale, exchange] = [await read('whale-6'), await read('coinbase-1')]
    expect(whale.wealth.totalUsd).toBeGreaterThan(1e7)
    expect([whale.label, whale.risk.rating]).toEqual(['Breakwater Capital', 'low'])
    expect(exchange.label).toBe('Coinbase: hot wallet 1')
    const parties = whale.counterparties?.all.flatMap(({ exchange: name }) => name ?? []) ?? []
    for (const name of parties) expect(['Coinbase', 'Binance']).toContain(name)
  })
  test('an old wallet full of different things is better than a new one', async () => {
    const [collector, fresh] = [await read('collector'), await read('fresh')]
    expect(collector.score.value).toBeGreaterThan(fresh.score.value + 30)
  })
  test('a contract that only names itself is not vouched for: what it may take counts', async () => {
    const saver = await read('saver')
    expect(saver.approvals).toMatchObject({
      open: [{ spenderKind: 'named_contract', spenderName: 'Ferry Router', isUnlimited: false }],
    })
    expect(saver.approvals?.atRiskUsd).toBeCloseTo(50_000, -2)
    expect(saver.risk.rating).toBe('high')
  })
  test('an empty one is worth nothing, which is known', async () => {
    const { wealth, risk } = await read('empty')
    expect(wealth).toMatchObject({ totalUsd: 0, concentration: undefined })
    expect(risk.rating).toBe('medium')
  })
})

test('an address of nobody does not exist', async () => {
  await expect(passing(walletLookup.checkExists(`0x${'12'.repeat(20)}`, freely))).rejects.toMatchObject({
    code: 'not_found',
  })
})
