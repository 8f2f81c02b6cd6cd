import { generateKeyPairSync } from 'node:crypto'
import { createPublicClient, erc20Abi, http, maxUint256 } from 'viem'
import { expect, test } from 'vitest'
import { readConfig } from '../config/config.ts'
import { silentLog } from '../core/log.ts'
import { createManualClock } from '../core/time/manual-clock.ts'
import { openSandboxKeys } from '../sandbox/keys.ts'
import { liveEnvironment } from '../testing/config/live-environment.ts'
import { createKeptLog } from '../testing/kept-log.ts'
import { temporaryDir } from '../testing/ledger/temporary-dir.ts'
import { lackOf } from '../testing/missing.ts'
import { POLYMARKET_CONTRACTS } from '../upstreams/polymarket/relayer/addresses.ts'
import { type OutsideWorld, openOutsideWorld } from './outside-world.ts'

const open = (env: Record<string, string>) =>
  openOutsideWorld(readConfig(env), createManualClock(Date.UTC(2026, 4, 6)), silentLog)

test('live mode uses what is configured and nothing that is simulated', async () => {
  const moved = 'https://mirror.example'
  const { upstreams, oracleKeys, money } = await open({
    ...liveEnvironment,
    TOLLBOOK_UPSTREAM_COINBASE_URL: moved,
  })
  expect(upstreams).toMatchObject({ BINANCE: 'https://data-api.binance.vision', COINBASE: moved })
  expect(oracleKeys).toBeUndefined()
  expect(money.payTo).toEqual({
    evm: liveEnvironment.TOLLBOOK_PAY_TO_EVM,
    svm: liveEnvironment.TOLLBOOK_PAY_TO_SVM,
  })
  expect(money.rpc).toEqual({ evm: ['https://base.example'], svm: ['https://solana.example'] })
  expect(money.facilitators.map(({ name }) => name)).toEqual(['one.example', 'two.example'])
  expect(money.wallets).toBeUndefined()
})

test('a key that no facilitator takes is noticed', async () => {
  const keyed = {
    ...liveEnvironment,
    TOLLBOOK_FACILITATOR_KEY_ID: 'name',
    TOLLBOOK_FACILITATOR_KEY: generateKeyPairSync('ed25519').privateKey.export({
      type: 'pkcs8',
      format: 'pem',
    }),
  } as Record<string, string>
  const noticesOf = async (env: Record<string, string>) => {
    const log = createKeptLog()
    await openOutsideWorld(readConfig(env), createManualClock(0), log)
    return log.lines.map(({ level, notice }) => `${level} ${notice}`)
  }
  expect(await noticesOf(keyed)).toEqual([
    'warn TOLLBOOK_FACILITATOR_KEY: none of TOLLBOOK_FACILITATORS takes it; only api.cdp.coinbase.com does',
  ])
  const cdp = 'https://one.example,https://api.cdp.coinbase.com/platform/v2/x402'
  expect(await noticesOf({ ...keyed, TOLLBOOK_FACILITATORS: cdp })).toEqual([])
  expect(await noticesOf(liveEnvironment)).toEqual([])
})

test('paper mode on a local chain reads real venues and offers only that chain', async () => {
  const dataDir = temporaryDir()
  const { upstreams, money } = await open({
    TOLLBOOK_MODE: 'paper',
    TOLLBOOK_DATA_DIR: dataDir,
    TOLLBOOK_SVM_RPC_URL: 'http://127.0.0.1:8899',
  })
  expect(upstreams.BINANCE).toBe('https://data-api.binance.vision')
  expect(money.payTo).toEqual({ evm: undefined, svm: openSandboxKeys(dataDir).svm.address })
})

/** Runs `look` in a world that is closed afterwards. */
async function visit<T>(env: Record<string, string>, look: (world: OutsideWorld) => Promise<T>): Promise<T> {
  const world = await open(env)
  try {
    return await look(world)
  } finally {
    await world.close()
  }
}

test('the sandbox has an account at the prediction venue, with money and approvals, kept over a restart', async (context) => {
  const env = { TOLLBOOK_DATA_DIR: temporaryDir() }
  const first = await visit(env, async (world) => {
    const { prediction, upstreams } = world
    if (!prediction) return undefined
    const { address, apiKey } = prediction.relayerKey
    const ask = async (path: string, headers = {}) =>
      (await fetch(`${upstreams.RELAYER}${path}`, { headers })).json()
    const headers = { RELAYER_API_KEY: apiKey.reveal(), RELAYER_API_KEY_ADDRESS: address }
    expect(await ask(`/nonce?address=${address}&type=WALLET`)).toEqual({ nonce: '1' })
    expect(await ask('/transactions', headers)).toEqual([])
    return { wallet: prediction.wallet, ...(await holdingsOf(world)) }
  })
  if (!first) return context.skip(lackOf('anvil'))
  expect(first).toEqual({ wallet: expect.any(String), pUsd: 1_000_000_000n, allowed: true })
  const second = await visit(env, async (world) => ({
    wallet: world.prediction?.wallet,
    ...(await holdingsOf(world)),
  }))
  expect(second).toEqual(first)
})

test('without a chain of our own nobody has an account, and all that is public works', async () => {
  const env = { TOLLBOOK_DATA_DIR: temporaryDir(), TOLLBOOK_SVM_RPC_URL: 'http://127.0.0.1:8899' }
  await visit(env, async ({ upstreams, prediction }) => {
    const statusOf = async (url: string) => (await fetch(url)).status
    expect(prediction).toBeUndefined()
    expect(await statusOf(`${upstreams.RELAYER}/nonce`)).toBe(503)
    expect(await statusOf(`${upstreams.CLOB}/auth/derive-api-key`)).toBe(503)
    expect(await statusOf(`${upstreams.CLOB}/time`)).toBe(200)
  })
})

/** Read from the chain, not through what wrote it. */
async function holdingsOf({ money, prediction }: OutsideWorld) {
  const client = createPublicClient({ transport: http(money.rpc.evm[0]) })
  const token = { address: POLYMARKET_CONTRACTS.collateral, abi: erc20Abi } as const
  const wallet = prediction?.wallet as `0x${string}`
  const [pUsd, allowance] = await Promise.all([
    client.readContract({ ...token, functionName: 'balanceOf', args: [wallet] }),
    client.readContract({
      ...token,
      functionName: 'allowance',
      args: [wallet, POLYMARKET_CONTRACTS.exchange],
    }),
  ])
  return { pUsd, allowed: allowance === maxUint256 }
}
