import { generatePrivateKey } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../src/core/time/clock.ts'
import { TOKEN_PROGRAM } from '../../src/payments/read/svm/svm-address.ts'
import { EVM_CONTRACTS } from '../../src/sandbox/chains/evm/contracts.ts'
import { temporaryDir } from '../../src/testing/ledger/temporary-dir.ts'
import { lackOf } from '../../src/testing/missing.ts'
import { type DoctorWorld, noAnvil, openDoctorWorld } from './doctor-world.ts'
import { broken, examined, state } from './examined.ts'
import type { NodeFault } from './node-proxy.ts'

let world: DoctorWorld
beforeAll(async () => {
  if (!noAnvil) world = await openDoctorWorld()
}, 60_000)
afterAll(() => world?.close())
beforeEach((context) => {
  if (noAnvil) context.skip(lackOf('anvil'))
})

const dead = 'http://127.0.0.1:2'
test.each(['paper', 'live'] as const)('%s mode with everything well has nothing to mend', async (mode) => {
  // Nobody has made an API key for the account yet, and doctor makes none.
  const results = await examined({ env: { ...world[mode], TOLLBOOK_DATA_DIR: temporaryDir() } })
  expect(results.filter(({ state }) => state === 'failure')).toEqual([])
  const warned = results.filter(({ state }) => state === 'warning').map(({ name }) => name)
  expect(warned).toEqual(mode === 'live' ? ['backups', 'trading-account'] : ['operator-keys'])
  expect(results.filter(({ next, state }) => state === 'warning' && next.length === 0)).toEqual([])
})

describe('an account that has a key', () => {
  beforeAll(async () => {
    const { createTrading } = await import('../../src/upstreams/polymarket/trading/create-trading.ts')
    const { ownerKey, wallet } = world.trading.account
    const clobUrl = world.internet.urls.CLOB
    await createTrading({
      clobUrl,
      ownerKey,
      depositWallet: wallet as `0x${string}`,
      clock: systemClock,
    }).connect()
  })

  test('is well', async () => {
    expect(await state(world.live, 'trading-account')).toMatchObject({
      state: 'ok',
      what: expect.stringContaining('1000 pUSD'),
    })
  })

  test('of an owner without a wallet is told what to do, and no key is made', async () => {
    const env = { ...world.live, TOLLBOOK_POLY_OWNER_KEY: generatePrivateKey() }
    for (let times = 0; times < 2; times++)
      expect(await state(env, 'trading-account')).toMatchObject({
        state: 'warning',
        what: expect.stringContaining('no API key'),
      })
    expect(await state(env, 'relayer')).toMatchObject(broken('is not deployed'))
  })

  test('with a relayer key that is not taken is told so', async () => {
    const env = { ...world.live, TOLLBOOK_POLY_RELAYER_KEY: 'x'.repeat(36) }
    const found = await state(env, 'relayer')
    expect(found).toMatchObject(broken('does not take our key'))
    expect(JSON.stringify(found)).not.toContain('xxxxxxxx')
  })

  test('and another wallet in the configuration do not go together', async () => {
    const env = { ...world.live, TOLLBOOK_POLY_WALLET: `0x${'a'.repeat(40)}` }
    expect(await state(env, 'trading-account')).toMatchObject(broken('TOLLBOOK_POLY_WALLET'))
  })
})

const REST = [
  ['binance', 'binance'],
  ['coinbase', 'coinbase'],
  ['gamma', 'gamma'],
  ['clob', 'clob'],
  ['poly-data', 'poly_data'],
  ['geoblock', 'poly_web'],
  ['relayer', 'relayer'],
  ['trading-account', 'clob'],
] as const
const SOCKETS = [
  ['binance-socket', 'binance'],
  ['coinbase-socket', 'coinbase'],
  ['oracle', 'polybolt'],
  ['clob-socket', 'clob'],
] as const
const FAULTS = ['reset', 'hang', 'error', 'limit', 'html', 'truncate', 'wrong_types', 'empty'] as const
const TIMEOUT_MS = 1_000
/** Nothing comes: only as long as it takes to see that the limit is kept. */
const SHORT_TIMEOUT_MS = 300
const limitFor = (kind: string | undefined) =>
  kind === 'hang' || kind === 'silent' ? SHORT_TIMEOUT_MS : TIMEOUT_MS

describe.each([
  ...REST.map((row) => [...row, 'rest'] as const),
  ...SOCKETS.map((row) => [...row, 'socket'] as const),
])('%s', (name, provider, channel) => {
  afterEach(() => world.internet.outages.set(provider, channel))

  // All that the relayer is asked is whether something is so: with `true` for everything its answers stay good ones.
  const faults = name === 'relayer' ? FAULTS.filter((kind) => kind !== 'wrong_types') : FAULTS
  test.each([...faults, ...(channel === 'socket' ? (['silent'] as const) : [])])(
    'names a provider that fails with %s',
    async (kind) => {
      world.internet.outages.set(provider, channel, { kind })
      const timeoutMs = limitFor(kind)
      const startedMs = performance.now()
      expect(await state(world.live, name, { timeoutMs })).toMatchObject(broken(/./))
      expect(performance.now() - startedMs).toBeLessThan(timeoutMs + 1_500)
    },
  )

  test('names an address where nobody listens', async () => {
    const upstream = {
      binance: 'BINANCE',
      coinbase: 'COINBASE',
      polybolt: 'POLY_LIVE',
      clob: 'CLOB',
      gamma: 'GAMMA',
      poly_data: 'POLY_DATA',
      poly_web: 'POLY_WEB',
      relayer: 'RELAYER',
    }[provider]
    const variable = `TOLLBOOK_UPSTREAM_${upstream}${channel === 'socket' ? '_WS' : ''}_URL`
    const env = { ...world.live, [variable]: channel === 'socket' ? 'ws://127.0.0.1:2' : dead }
    expect(await state(env, name)).toMatchObject(broken('ECONNREFUSED'))
  })
})

/** As the SPL Token program keeps it; the byte of its state says frozen. */
const FROZEN_ACCOUNT = {
  context: {},
  value: {
    owner: TOKEN_PROGRAM,
    data: [Buffer.alloc(165).fill(2, 108, 109).toString('base64'), 'base64'],
  },
}

describe.each(['base-node', 'solana-node'] as const)('%s', (name) => {
  const node = () => (name === 'base-node' ? world.evmNode : world.svmNode)
  afterEach(() => {
    node().fail(undefined)
    node().change({})
  })

  test.each(['hang', 'error', 'html', 'empty'] as NodeFault[])(
    'names a node that fails with %s',
    async (fault) => {
      node().fail(fault)
      expect(await state(world.live, name, { timeoutMs: limitFor(fault) })).toMatchObject(broken(/./))
    },
  )

  test('names one of another chain, one that is behind, and one without USDC', async () => {
    node().change({
      eth_chainId: () => '0x1',
      getGenesisHash: () => 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG',
    })
    expect(await state(world.live, name)).toMatchObject(broken(/is of chain 1|not of the Solana main/))
    const old = Math.floor(systemClock.now() / 1000) - 600
    node().change({
      eth_getBlockByNumber: () => ({ number: '0x5', timestamp: `0x${old.toString(16)}` }),
      getBlockTime: () => old,
    })
    expect(await state(world.live, name)).toMatchObject(broken(/60\d s old/))
    node().change({ eth_getCode: () => '0x', getAccountInfo: () => ({ context: {}, value: null }) })
    expect(await state(world.live, name)).toMatchObject(broken('has no USDC'))
  })

  test('names a token that lets nobody pay us', async () => {
    node().change({ eth_call: () => `0x${'1'.padStart(64, '0')}`, getAccountInfo: () => FROZEN_ACCOUNT })
    expect(await state(world.live, name)).toMatchObject(broken(/USDC is paused there|is frozen/))
  })

  test('looks at each of several nodes', async () => {
    const variable = name === 'base-node' ? 'TOLLBOOK_EVM_RPC_URL' : 'TOLLBOOK_SVM_RPC_URL'
    const env = { ...world.live, [variable]: `${world.live[variable]},${dead}` }
    expect(await state(env, name)).toMatchObject({ state: 'ok' })
    expect(await state(env, `${name}-2`)).toMatchObject(broken('ECONNREFUSED'))
  })

  test('names an address where nobody listens', async () => {
    const variable = name === 'base-node' ? 'TOLLBOOK_EVM_RPC_URL' : 'TOLLBOOK_SVM_RPC_URL'
    expect(await state({ ...world.live, [variable]: dead }, name)).toMatchObject(broken('ECONNREFUSED'))
  })
})

test('an address on Solana that cannot be paid yet is named', async () => {
  const env = { ...world.live, TOLLBOOK_PAY_TO_SVM: '1'.repeat(32) }
  expect(await state(env, 'solana-node')).toMatchObject(broken('no USDC account yet'))
})

describe('project-token', () => {
  const found = (token: string, changes: Record<string, string> = {}) =>
    state({ ...world.live, TOLLBOOK_PROJECT_TOKEN: token, ...changes }, 'project-token')

  test('is well where it tells balances, and skipped where there is none', async () => {
    expect(await found(EVM_CONTRACTS.ProjectToken)).toMatchObject({
      state: 'ok',
      what: expect.stringContaining('18 decimals'),
    })
    expect(await state(world.live, 'project-token')).toMatchObject({ state: 'skipped' })
  })

  test('an address without a contract, a contract that is no token and a dead node are named', async () => {
    expect(await found(world.live.TOLLBOOK_PAY_TO_EVM)).toMatchObject(broken('there is no contract at'))
    expect(await found(EVM_CONTRACTS.SmartWalletFactory)).toMatchObject(
      broken('tells no decimals or no balances'),
    )
    expect(await found(EVM_CONTRACTS.ProjectToken, { TOLLBOOK_EVM_RPC_URL: dead })).toMatchObject(
      broken('ECONNREFUSED'),
    )
  })
})

test('chains of a sandbox that somebody else runs want a facilitator named', async () => {
  const sandbox = { TOLLBOOK_MODE: 'sandbox', TOLLBOOK_EVM_RPC_URL: world.live.TOLLBOOK_EVM_RPC_URL }
  expect(await state(sandbox, 'facilitator')).toMatchObject({
    ...broken('nothing can be sold'),
    next: [expect.stringContaining('TOLLBOOK_FACILITATORS')],
  })
  const named = { ...sandbox, TOLLBOOK_FACILITATORS: world.facilitator.url }
  expect(await state(named, 'facilitator')).toMatchObject({ state: 'ok' })
})

test('a facilitator that is away, is none or does not take our key is named', async () => {
  const with_ = (url: string) =>
    state({ ...world.live, TOLLBOOK_FACILITATORS: url }, 'facilitator', { timeoutMs: TIMEOUT_MS })
  expect(await with_(dead)).toMatchObject(broken('unreachable'))
  expect(await with_(`${world.facilitator.url}/elsewhere`)).toMatchObject(broken('rejected'))
  expect(await with_(world.internet.urls.BINANCE)).toMatchObject(broken('127.0.0.1'))
})

test('orders that are not taken from here are a failure for an account, and else a warning', async () => {
  world.internet.setPlace({ blocked: true, country: 'US', region: 'NY' })
  try {
    expect(await state(world.live, 'geoblock')).toMatchObject(broken('no orders from US NY'))
    expect(await state(world.paper, 'geoblock')).toMatchObject({ state: 'warning' })
  } finally {
    world.internet.setPlace({ blocked: false, country: 'XX', region: '' })
  }
})

test('credentials that the oracle refuses are named', async () => {
  const env = { ...world.live, TOLLBOOK_CLOB_SECRET: 'x'.repeat(36) }
  expect(await state(env, 'oracle')).toMatchObject(broken('credentials are refused'))
})

test.each([-5_000, 5_000])('a clock that is %i ms off is named', async (offMs) => {
  const clock = { ...systemClock, now: () => systemClock.now() + offMs }
  expect(await state(world.paper, 'clock', { clock })).toMatchObject(broken('is wrong by more than 1 s'))
})

test('a venue that hangs does not keep the others from telling the time', async () => {
  world.internet.outages.set('binance', 'rest', { kind: 'hang' })
  try {
    const found = await state(world.paper, 'clock', { timeoutMs: TIMEOUT_MS })
    expect(found).toMatchObject({ state: 'ok', what: expect.stringMatching(/Coinbase .*Polymarket/) })
  } finally {
    world.internet.outages.set('binance', 'rest')
  }
})
