import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { UPSTREAMS } from '../../src/config/providers.ts'
import { systemClock } from '../../src/core/time/clock.ts'
import { DAY_MS } from '../../src/core/time/time.ts'
import { type Internet, startInternet } from '../../src/sandbox/internet.ts'
import { createSimulatedMarket } from '../../src/sandbox/market/simulated-market.ts'
import { createTokenWorld } from '../../src/sandbox/tokens/create-token-world.ts'
import { temporaryDir } from '../../src/testing/ledger/temporary-dir.ts'
import { broken, examined, state } from './examined.ts'

let internet: Internet
let env: Record<string, string>
beforeAll(async () => {
  const market = createSimulatedMarket({ seed: 'doctor', startMs: systemClock.now() })
  const tokens = createTokenWorld({ seed: 'doctor', market })
  internet = await startInternet({ market, tokens, clock: systemClock, realTime: true })
  const urls = UPSTREAMS.map(({ name }) => [`TOLLBOOK_UPSTREAM_${name}_URL`, internet.urls[name]])
  env = { ...Object.fromEntries(urls), TOLLBOOK_MODE: 'paper' }
})
afterAll(() => internet.close())

const GROUPS = ['tokens', 'sentiment', 'futures', 'whales', 'directory', 'writer']
const REST = [
  ['dexscreener', 'dexscreener'],
  ['geckoterminal', 'geckoterminal'],
  ['goplus', 'goplus'],
  ['honeypot', 'honeypot'],
  ['blockscout', 'blockscout'],
  ['fear-greed', 'fng'],
  ['coingecko', 'coingecko'],
  ['binance-futures', 'binance_futures'],
  ['bybit', 'bybit'],
  ['okx', 'okx'],
  ['hyperliquid', 'hyperliquid'],
  ['coinlobster', 'coinlobster'],
  ['mempool', 'mempool'],
  ['sosovalue', 'sosovalue'],
  ['bazaar', 'bazaar'],
  ['ecosystem', 'ecosystem'],
  ['model', 'llm'],
] as const
const SOCKETS = [
  ['futures-socket', 'binance_futures'],
  ['bybit-socket', 'bybit'],
  ['okx-socket', 'okx'],
] as const
const TIMEOUT_MS = 300

test('every source is a line, and well', async () => {
  const results = await examined({ env: { ...env, TOLLBOOK_DATA_DIR: temporaryDir() }, only: GROUPS })
  expect(results.map(({ name, state }) => [name, state])).toEqual(
    expect.arrayContaining([...REST, ...SOCKETS].map(([name]) => [name, 'ok'])),
  )
  const others = results.filter(({ state }) => state !== 'ok')
  expect(others).toMatchObject([{ name: 'token-node', state: 'skipped' }])
})

describe.each(REST)('%s', (name, provider) => {
  afterEach(() => internet.outages.set(provider, 'rest'))

  test.each(['reset', 'hang', 'error', 'html', 'wrong_types'] as const)(
    'that fails with %s',
    async (kind) => {
      internet.outages.set(provider, 'rest', { kind })
      const timeoutMs = kind === 'hang' ? TIMEOUT_MS : undefined
      expect(await state(env, name, timeoutMs ? { timeoutMs } : {})).toMatchObject(broken(/./))
    },
  )

  test('that refuses for now is told apart', async () => {
    internet.outages.set(provider, 'rest', { kind: 'limit' })
    expect(await state(env, name)).toMatchObject(broken('for now \\(429\\)'))
  })
})

describe.each(SOCKETS)('%s', (name, provider) => {
  afterEach(() => internet.outages.set(provider, 'socket'))

  test.each(['reset', 'error', 'hang'] as const)('that fails with %s', async (kind) => {
    internet.outages.set(provider, 'socket', { kind })
    expect(await state(env, name, { timeoutMs: TIMEOUT_MS })).toMatchObject(broken(/./))
  })

  test('that takes no connections from here is a warning', async () => {
    internet.outages.set(provider, 'socket', { kind: 'limit', status: 451 })
    expect(await state(env, name)).toMatchObject({ state: 'warning', what: expect.stringContaining('451') })
  })
})

test.each(['bybit-socket', 'okx-socket'] as const)(
  '%s that says nothing, or nonsense, fails',
  async (name) => {
    const provider = name === 'okx-socket' ? 'okx' : 'bybit'
    try {
      for (const kind of ['silent', 'html'] as const) {
        internet.outages.set(provider, 'socket', { kind })
        expect(await state(env, name, { timeoutMs: TIMEOUT_MS })).toMatchObject(broken(/./))
      }
    } finally {
      internet.outages.set(provider, 'socket')
    }
  },
)

/** With this status to every request. */
async function refusedWith(status: number, [name, provider]: readonly [string, string], more = {}) {
  internet.outages.set(provider, 'rest', { kind: 'limit', status })
  try {
    return await state({ ...env, ...more }, name)
  } finally {
    internet.outages.set(provider, 'rest')
  }
}

test.each([
  ['binance-futures', 'binance_futures', 451],
  ['bybit', 'bybit', 403],
  ['okx', 'okx', 451],
] as const)('%s that turns away a country is a warning', async (name, provider, status) => {
  const found = await refusedWith(status, [name, provider])
  expect(found).toMatchObject({ state: 'warning', next: [expect.stringContaining('the other venues')] })
})

test.each([
  ['coingecko', 'coingecko', 'TOLLBOOK_COINGECKO_KEY'],
  ['blockscout', 'blockscout', 'TOLLBOOK_BLOCKSCOUT_KEY'],
] as const)('%s says whether it wants a key or refuses ours', async (name, provider, variable) => {
  const wanted = await refusedWith(401, [name, provider])
  expect(wanted).toMatchObject(broken('asks for a key'))
  expect(wanted?.next[0]).toContain(variable)
  const key = 'k-0123456789-abcdefghij'
  const refused = await refusedWith(403, [name, provider], { [variable]: key })
  expect(refused).toMatchObject(broken('does not take our key'))
  expect(refused?.next[0]).toContain(variable)
  expect(JSON.stringify(refused)).not.toContain(key)
  expect((await state({ ...env, [variable]: key }, name))?.what).toContain('with our key')
  const limited = await refusedWith(429, [name, provider])
  expect(limited?.next[0]).toContain(variable)
})

test('GitHub that refuses for an hour is a warning', async () => {
  expect(await refusedWith(403, ['ecosystem', 'ecosystem'])).toMatchObject({ state: 'warning' })
})

describe('the language model', () => {
  test('is not asked where there is none, or none is wanted', async () => {
    const { TOLLBOOK_UPSTREAM_LLM_URL: _, ...without } = env
    for (const each of [without, { ...env, TOLLBOOK_LLM_CALLS_PER_DAY: '0' }]) {
      const asked = internet.outages.count('llm', 'rest')
      expect(await state(each as Record<string, string>, 'model')).toMatchObject({ state: 'skipped' })
      expect(internet.outages.count('llm', 'rest')).toBe(asked)
    }
  })

  test('that refuses our key is named', async () => {
    const found = await refusedWith(401, ['model', 'llm'], { TOLLBOOK_LLM_KEY: 'sk-0123456789-abcdef' })
    expect(found).toMatchObject(broken('does not take our key'))
    expect(JSON.stringify(found)).not.toContain('sk-0123456789')
  })

  test('whose server lists no models is taken as it is', async () => {
    expect(await refusedWith(404, ['model', 'llm'])).toMatchObject({
      state: 'ok',
      what: expect.stringContaining('not known'),
    })
  })
})

test('an index that stopped is a warning', async () => {
  const clock = { ...systemClock, now: () => systemClock.now() + 3 * DAY_MS }
  expect(await state(env, 'fear-greed', { clock })).toMatchObject({ state: 'warning' })
  const later = { ...systemClock, now: () => systemClock.now() + 30 * DAY_MS }
  expect(await state(env, 'sosovalue', { clock: later })).toMatchObject({ state: 'warning' })
})
