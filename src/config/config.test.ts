import { readFileSync } from 'node:fs'
import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { liveEnvironment as live } from '../testing/config/live-environment.ts'
import { ConfigError, readConfig } from './config.ts'
import { renderConfigTable, renderEnvExample } from './describe.ts'
import type { Variable } from './variables/variable.ts'
import { VARIABLES } from './variables/variables.ts'

const problemsOf = (env: Record<string, string>): readonly string[] => {
  try {
    readConfig(env)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}
const paper = { TOLLBOOK_MODE: 'paper' }
const OWNER_KEY = `0x${'1'.repeat(64)}`
const declared = Object.entries<Variable>(VARIABLES)

describe('config', () => {
  test('nothing configured is the sandbox on 127.0.0.1:4020', () => {
    const config = readConfig({})
    expect(config).toMatchObject({ host: '127.0.0.1', port: 4020, mode: 'sandbox' })
    expect(config.demo).toEqual({ perClientPerDay: 5, totalPerDay: 20_000 })
    expect(config.upstreams.BINANCE).toBe('https://data-api.binance.vision')
  })

  test('every bad value is named at once', () => {
    const problems = problemsOf({
      PORT: '70000',
      TOLLBOOK_MODE: 'prod',
      TOLLBOOK_DEMO_CALLS_PER_DAY: '1e3',
      TOLLBOOK_TRUSTED_PROXIES: '10.0.0.0/33',
      TOLLBOOK_UPSTREAM_BINANCE_URL: 'ftp://x',
      TOLLBOOK_UPSTREAM_BINANCE_WS_URL: 'http://x',
      TOLLBOOK_FACILITATORS: 'https://one.example,two',
      DATABASE_URL: 'mysql://h/db',
      REDIS_URL: 'redis://h/name',
      TOLLBOOK_DEMOCALLS: '7',
    })
    expect(problems.map((problem) => problem.split(':')[0]).sort()).toEqual([
      'DATABASE_URL',
      'PORT',
      'REDIS_URL',
      'TOLLBOOK_DEMOCALLS',
      'TOLLBOOK_DEMO_CALLS_PER_DAY',
      'TOLLBOOK_FACILITATORS',
      'TOLLBOOK_MODE',
      'TOLLBOOK_TRUSTED_PROXIES',
      'TOLLBOOK_UPSTREAM_BINANCE_URL',
      'TOLLBOOK_UPSTREAM_BINANCE_WS_URL',
    ])
  })

  test('metrics that others can reach need a token, and an address of their own needs a port', () => {
    const host = (name: string, more = {}) =>
      problemsOf({ TOLLBOOK_METRICS_PORT: '9464', TOLLBOOK_METRICS_HOST: name, ...more })
    for (const own of ['127.0.0.1', 'localhost', '::1']) expect(host(own)).toEqual([])
    for (const open of ['0.0.0.0', '::', '10.0.0.1', 'metrics.example.com'])
      expect(host(open)).toEqual([
        `TOLLBOOK_METRICS_TOKEN: required when TOLLBOOK_METRICS_HOST is ${open}, which others may reach`,
      ])
    expect(host('0.0.0.0', { TOLLBOOK_METRICS_TOKEN: 'x'.repeat(16) })).toEqual([])
    expect(problemsOf({ TOLLBOOK_METRICS_HOST: '127.0.0.1' })).toEqual([
      expect.stringMatching(/^TOLLBOOK_METRICS_PORT: required/),
    ])
    expect(readConfig({}).metrics).toEqual({ host: '127.0.0.1', port: undefined, token: undefined })
  })

  test.each(['foo.com', 'http://', '//', '-', '\u0000', '%zz', 'null', '9'.repeat(400)])(
    'a value of %j hides no other mistake',
    (value) => {
      for (const name of Object.keys(VARIABLES).filter((each) => each !== 'PORT'))
        expect(problemsOf({ [name]: value, PORT: '70000' }).join('\n'), name).toMatch(/^PORT: /m)
    },
  )

  test('an address with a password is refused before it is called, and not shown', () => {
    const address = 'https://u:hunter2@node.example'
    const names = ['TOLLBOOK_EVM_RPC_URL', 'TOLLBOOK_SVM_RPC_URL', 'TOLLBOOK_FACILITATORS']
    const problems = names.flatMap((name) => problemsOf({ ...live, [name]: address }))
    expect(problems.map((problem) => problem.split(':')[0])).toEqual(names)
    expect(problems.join()).not.toContain('hunter2')
  })

  test.each(['?key=hunter2', '#hunter2'])(
    'a facilitator with %s is refused, since paths are added to its address',
    (rest) => {
      const given = `https://pay.example/x402, https://two.example/x402${rest}`
      expect(problemsOf({ ...live, TOLLBOOK_FACILITATORS: given })).toEqual([
        'TOLLBOOK_FACILITATORS: must have no query (?) and no fragment (#): paths are added to them',
      ])
    },
  )

  test('every mode has a data directory of its own', () => {
    expect(readConfig({}).dataDir).toBe('./data/sandbox')
    expect(readConfig(paper).dataDir).toBe('./data/paper')
    expect(readConfig(live).dataDir).toBe('./data/live')
    expect(readConfig({ ...paper, TOLLBOOK_DATA_DIR: '/srv/<mode>/a' }).dataDir).toBe('/srv/paper/a')
    expect(readConfig({ ...paper, TOLLBOOK_DATA_DIR: '/srv/a/' }).dataDir).toBe('/srv/a/')
  })

  test('the total follows a higher per-client limit, an own total wins', () => {
    expect(readConfig({ TOLLBOOK_DEMO_CALLS_PER_DAY: '50000' }).demo.totalPerDay).toBe(50_000)
    expect(readConfig({ TOLLBOOK_DEMO_TOTAL_PER_DAY: '7' }).demo.totalPerDay).toBe(7)
  })

  test('an upstream can be moved', () => {
    const url = 'http://127.0.0.1:9000/binance'
    expect(readConfig({ ...paper, TOLLBOOK_UPSTREAM_BINANCE_URL: url }).upstreams.BINANCE).toBe(url)
  })

  test.each([
    ['BINANCE', 'http://127.0.0.1:9000/', 'http://127.0.0.1:9000'],
    ['COINBASE', 'http://127.0.0.1:9000/coinbase//', 'http://127.0.0.1:9000/coinbase'],
    ['BINANCE_WS', 'ws://127.0.0.1:9000/', 'ws://127.0.0.1:9000'],
  ] as const)('slashes at the end of the address of %s are dropped', (name, given, used) => {
    expect(readConfig({ ...paper, [`TOLLBOOK_UPSTREAM_${name}_URL`]: given }).upstreams[name]).toBe(used)
  })

  test.each(['http://h/?key=1', 'http://h?', 'http://h/#top', 'http://user:passphrase@h', 'http://user@h'])(
    'the upstream address %s is refused, and not repeated',
    (url) => {
      expect(problemsOf({ ...paper, TOLLBOOK_UPSTREAM_BINANCE_URL: url })).toEqual([
        'TOLLBOOK_UPSTREAM_BINANCE_URL: must have no query (?), no fragment (#) and no user name or password',
      ])
    },
  )

  test('an empty value counts as absent', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: '' }).port).toBe(4020)
  })

  test('secrets do not print', () => {
    expect(inspect(readConfig(live), { depth: 9 })).not.toContain('kkkk')
  })

  test('the example file and the table are made from the declarations', () => {
    const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
    expect(read('../../.env.example')).toBe(renderEnvExample())
    expect(read('../../docs/configuration.md')).toBe(renderConfigTable())
  })
})

describe('what a mode asks for', () => {
  test('live needs its addresses, its operator key and its facilitators', () => {
    expect(readConfig(live)).toMatchObject({
      baseUrl: 'https://api.example.com',
      facilitators: ['https://one.example', 'https://two.example'],
    })
    expect(problemsOf({ TOLLBOOK_MODE: 'live' })).toEqual(
      [
        'TOLLBOOK_BASE_URL',
        'TOLLBOOK_OPERATOR_KEY',
        'TOLLBOOK_PAY_TO_EVM',
        'TOLLBOOK_PAY_TO_SVM',
        'TOLLBOOK_EVM_RPC_URL',
        'TOLLBOOK_SVM_RPC_URL',
        'TOLLBOOK_FACILITATORS',
      ].map((name) => `${name}: required in live mode`),
    )
  })

  test.each([
    ['sandbox', { TOLLBOOK_PAY_TO_EVM: live.TOLLBOOK_PAY_TO_EVM }],
    ['paper', { TOLLBOOK_PAY_TO_SVM: live.TOLLBOOK_PAY_TO_SVM }],
    ['sandbox', { TOLLBOOK_PROJECT_TOKEN: live.TOLLBOOK_PAY_TO_EVM }],
    ['paper', { TOLLBOOK_PROJECT_TOKEN: live.TOLLBOOK_PAY_TO_EVM }],
    ['sandbox', { TOLLBOOK_CLOB_API_KEY: 'k'.repeat(20) }],
    ['paper', { TOLLBOOK_SANDBOX_SEED: '2' }],
    ['sandbox', { TOLLBOOK_POLY_WALLET: live.TOLLBOOK_PAY_TO_EVM }],
    ['sandbox', { TOLLBOOK_POLY_OWNER_KEY: OWNER_KEY }],
    ['paper', { TOLLBOOK_POLY_OWNER_KEY: OWNER_KEY }],
    ['paper', { TOLLBOOK_POLY_RELAYER_KEY: 'k'.repeat(20) }],
  ])('%s mode refuses what it would ignore: %j', (mode, env) => {
    expect(problemsOf({ TOLLBOOK_MODE: mode, ...env })).toEqual([
      expect.stringMatching(`^${Object.keys(env)[0]}: refused in ${mode} mode: `),
    ])
  })

  test.each(['sandbox', 'paper'])('no real facilitator sees what is signed in %s mode', (mode) => {
    const problems = (urls: string) => problemsOf({ TOLLBOOK_MODE: mode, TOLLBOOK_FACILITATORS: urls })
    expect(problems('http://127.0.0.1:1, http://localhost:2')).toEqual([])
    expect(problems('http://127.0.0.1:1,https://facilitator.example')).toEqual([
      expect.stringMatching('^TOLLBOOK_FACILITATORS: must be an address of this machine'),
    ])
  })

  test.each([
    ['TOLLBOOK_PAY_TO_EVM', '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02914', 'has a wrong checksum'],
    ['TOLLBOOK_PAY_TO_EVM', `0x${'0'.repeat(40)}`, 'must not be the zero address'],
    ['TOLLBOOK_POLY_WALLET', '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02914', 'has a wrong checksum'],
    ['TOLLBOOK_POLY_WALLET', `0x${'a'.repeat(39)}`, 'must be 0x and 40 hex digits'],
    ['TOLLBOOK_PAPER_USD', '0', 'must be a whole number from 1 to 1000000'],
    ['TOLLBOOK_PAPER_USD', '1000001', 'must be a whole number from 1 to 1000000'],
    ['TOLLBOOK_PAY_TO_SVM', 'z'.repeat(44), 'must be base58 of 32 bytes'],
    ['TOLLBOOK_PAY_TO_SVM', 'not base58!', 'must be base58 of 32 bytes'],
    ['TOLLBOOK_FACILITATORS', ',', 'must be http(s) addresses'],
    ['TOLLBOOK_OPERATOR_KEY', 'sixteen letters or more', 'must have 16 to 512 characters'],
    ['TOLLBOOK_OPERATOR_KEY', 'k'.repeat(513), 'must have 16 to 512 characters'],
    ['TOLLBOOK_BASE_URL', 'https://user:secret@shop.example', 'must have no user'],
    ['TOLLBOOK_BASE_URL', 'https://shop.example/?a=1', 'must have no user'],
    ['TOLLBOOK_BASE_URL', 'https://shop.example/#a', 'must have no user'],
    ['TOLLBOOK_BASE_URL', 'https://shop.example?', 'must have no user'],
    ['TOLLBOOK_BASE_URL', 'https://shop.example/tollbook', 'must have no user, password, path'],
    ['TOLLBOOK_BASE_URL', 'foo.com', 'must be an http(s) address'],
    ['HOST', 'not a host', 'must be an IP address or a host name'],
  ])('live mode refuses %s=%s', (name, value, message) => {
    expect(problemsOf({ ...live, [name]: value })).toEqual([expect.stringContaining(`${name}: ${message}`)])
  })

  test('a wallet at the venue is compared in small letters, as the venue writes it', () => {
    const wallet = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
    expect(readConfig({ ...paper, TOLLBOOK_POLY_WALLET: wallet }).polyWallet).toBe(wallet.toLowerCase())
    expect(readConfig(paper).polyWallet).toBeUndefined()
  })

  test.each(['::', '0.0.0.0', 'localhost', 'shop.example'])('%s can be listened on', (host) => {
    expect(readConfig({ HOST: host }).host).toBe(host)
  })

  test('a chain may have several nodes, and asks for more blocks from a price on', () => {
    expect(
      readConfig({ ...live, TOLLBOOK_EVM_RPC_URL: 'https://one.example, https://two.example' }),
    ).toMatchObject({
      chains: {
        evmRpcUrls: ['https://one.example', 'https://two.example'],
        svmRpcUrls: ['https://solana.example'],
        evmConfirmations: [{ from: 0n, blocks: 1 }],
        svmFinalizedFrom: undefined,
      },
    })
    const deep = { TOLLBOOK_EVM_CONFIRMATIONS: '1,3@0.50', TOLLBOOK_SVM_FINALIZED_FROM: '0.5' }
    expect(readConfig({ ...live, ...deep }).chains).toMatchObject({
      evmConfirmations: [
        { from: 0n, blocks: 1 },
        { from: 500_000n, blocks: 3 },
      ],
      svmFinalizedFrom: 500_000n,
    })
    for (const [name, value] of Object.entries({
      TOLLBOOK_EVM_CONFIRMATIONS: '0',
      TOLLBOOK_SVM_FINALIZED_FROM: '-1',
      TOLLBOOK_SVM_RPC_URL: 'https://one.example,ftp://two.example',
    }))
      expect(problemsOf({ ...live, [name]: value })).toEqual([expect.stringMatching(`^${name}: must be `)])
  })

  test.each(['sandbox', 'paper'])('simulated money of %s mode stays on this machine', (mode) => {
    const problems = (url: string) => problemsOf({ TOLLBOOK_MODE: mode, TOLLBOOK_EVM_RPC_URL: url })
    expect(problems('http://127.0.0.1:8545')).toEqual([])
    expect(problems('http://[::1]:8545')).toEqual([])
    for (const url of ['https://base.example', 'http://127.0.0.1.example', 'http://localhost@base.example'])
      expect(problems(url)).toContain(
        `TOLLBOOK_EVM_RPC_URL: must be an address of this machine in ${mode} mode, where money is simulated`,
      )
  })
})

describe('credentials', () => {
  const key = 'k'.repeat(20)

  test('come whole or not at all', () => {
    expect(problemsOf({ ...paper, TOLLBOOK_CLOB_API_KEY: key })).toEqual([
      'TOLLBOOK_CLOB_SECRET: required when TOLLBOOK_CLOB_API_KEY is set',
      'TOLLBOOK_CLOB_PASSPHRASE: required when TOLLBOOK_CLOB_API_KEY is set',
    ])
    expect(problemsOf({ TOLLBOOK_FACILITATOR_KEY_ID: 'name' })).toEqual([
      'TOLLBOOK_FACILITATOR_KEY: required when TOLLBOOK_FACILITATOR_KEY_ID is set',
    ])
    expect(problemsOf({ TOLLBOOK_FACILITATOR_KEY: key })).toEqual([
      'TOLLBOOK_FACILITATOR_KEY_ID: required when TOLLBOOK_FACILITATOR_KEY is set',
    ])
    expect(problemsOf({ TOLLBOOK_FACILITATOR_KEY: key, TOLLBOOK_FACILITATOR_KEY_ID: 'name' })).toEqual([])
  })

  test('of the account that trades come whole, are keys, and do not print', () => {
    const account = {
      TOLLBOOK_POLY_OWNER_KEY: OWNER_KEY,
      TOLLBOOK_POLY_RELAYER_KEY: key,
      TOLLBOOK_POLY_RELAYER_ADDRESS: live.TOLLBOOK_PAY_TO_EVM,
    }
    const { polymarket, paperUsd } = readConfig({ ...live, ...account })
    expect(polymarket?.ownerKey.reveal()).toBe(OWNER_KEY)
    expect(polymarket?.relayerKey.address).toBe(live.TOLLBOOK_PAY_TO_EVM)
    expect(inspect(polymarket, { depth: 9 })).not.toMatch(/1111|kkkk/)
    expect([paperUsd, readConfig(live).polymarket]).toEqual([1000, undefined])
    for (const name of Object.keys(account)) {
      const { [name]: _, ...rest } = { ...live, ...account } as Record<string, string>
      expect(problemsOf(rest)).toEqual([expect.stringMatching(`^${name}: required when TOLLBOOK_POLY_`)])
    }
    for (const bad of [
      '0',
      '1'.repeat(64),
      `0x${'0'.repeat(64)}`,
      `0x${'f'.repeat(64)}`,
      `0x${'1'.repeat(63)}`,
    ])
      expect(problemsOf({ ...live, ...account, TOLLBOOK_POLY_OWNER_KEY: bad })).toEqual([
        expect.stringMatching(/^TOLLBOOK_POLY_OWNER_KEY: (must be 0x and 64|is no private key)/),
      ])
  })

  test('are paired in both directions, with names that exist', () => {
    for (const [name, { pairedWith = [] }] of declared)
      for (const other of pairedWith)
        expect(declared.find(([each]) => each === other)?.[1].pairedWith, `${other} and ${name}`).toContain(
          name,
        )
  })
})

describe('the writer of texts', () => {
  test('has no model, and writes by rules, until an address is given', () => {
    expect(readConfig(paper)).toMatchObject({
      upstreams: { LLM: undefined },
      writer: { key: undefined, model: 'default', callsPerDay: 500 },
    })
  })

  test('takes its model from the environment, and its key does not print', () => {
    const { upstreams, writer } = readConfig({
      ...paper,
      TOLLBOOK_UPSTREAM_LLM_URL: 'https://models.example.com/v1/',
      TOLLBOOK_LLM_KEY: 'sk-kkkkkkkkkkkkkkkk',
      TOLLBOOK_LLM_MODEL: 'meta-llama/Llama-3.3-70B:free',
      TOLLBOOK_LLM_CALLS_PER_DAY: '0',
    })
    expect(upstreams.LLM).toBe('https://models.example.com/v1')
    expect(writer).toMatchObject({ model: 'meta-llama/Llama-3.3-70B:free', callsPerDay: 0 })
    expect(writer.key?.reveal()).toBe('sk-kkkkkkkkkkkkkkkk')
    expect(inspect(writer)).not.toContain('kkkk')
    for (const model of ['<b>', 'a b', '-a', 'x'.repeat(101)])
      expect(problemsOf({ ...paper, TOLLBOOK_LLM_MODEL: model })).toEqual([
        expect.stringMatching('^TOLLBOOK_LLM_MODEL: must be the name of a model'),
      ])
  })

  test('ignores a model in the sandbox, which has its own, and says so', () => {
    const env = { TOLLBOOK_UPSTREAM_LLM_URL: 'http://127.0.0.1:9/v1', TOLLBOOK_LLM_MODEL: 'mine' }
    expect(readConfig(env).notices).toEqual([
      expect.stringMatching('^TOLLBOOK_UPSTREAM_LLM_URL: ignored in sandbox mode'),
      expect.stringMatching('^TOLLBOOK_LLM_MODEL: ignored in sandbox mode'),
    ])
  })
})

describe('what an operator should look at', () => {
  test('an upstream address in the sandbox, which has its own, is noticed', () => {
    const env = { TOLLBOOK_UPSTREAM_COINBASE_URL: 'http://127.0.0.1:9000' }
    expect(readConfig(env).notices).toEqual([
      expect.stringMatching('^TOLLBOOK_UPSTREAM_COINBASE_URL: ignored in sandbox mode: '),
    ])
    expect(readConfig({ ...paper, ...env }).notices).toEqual([])
  })

  test.each([
    ['k7Qp-correct-horse-batt', 1],
    ['aaaabbbbccccddddeeeeffffgggg', 1],
    ['k7Qp-correct-horse-batte', 0],
    [`tbk_${'Ab3-_x9Kq2'.repeat(4)}xyz`, 0],
  ])('an operator key that may be guessed is noticed, and not shown: %s', (key, count) => {
    const { notices } = readConfig({ TOLLBOOK_OPERATOR_KEY: key })
    expect(notices).toHaveLength(count)
    for (const notice of notices) {
      expect(notice).toMatch(/^TOLLBOOK_OPERATOR_KEY: may be guessed: .*tollbook keys make/)
      expect(notice).not.toContain(key)
    }
  })
})

const shared = {
  DATABASE_URL: 'postgres://seller:hunter2@db.example/sales',
  REDIS_URL: 'redis://:hunter2@cache.example/1',
}

describe('what several processes share', () => {
  test('is named by addresses, which are never shown', () => {
    const { databaseUrl, redisUrl, role } = readConfig(shared)
    expect([databaseUrl?.reveal(), redisUrl?.reveal(), role]).toEqual([...Object.values(shared), 'all'])
    expect(JSON.stringify({ databaseUrl, redisUrl })).not.toContain('hunter2')
    expect(`${databaseUrl} ${redisUrl}`).not.toContain('hunter2')
    expect(inspect(readConfig(shared), { depth: 9 })).not.toContain('hunter2')
  })

  test.each(['https://u:hunter2@h/db', 'postgres://u:hunter2@h', 'hunter2', 'postgres://u:hunter2@h:x/db'])(
    'is refused without showing it: %s',
    (url) => {
      const problems = problemsOf({ DATABASE_URL: url, REDIS_URL: url })
      expect(problems).toEqual([
        expect.stringMatching('^DATABASE_URL: is no address of PostgreSQL: write postgres://'),
        expect.stringMatching('^REDIS_URL: the address of Redis '),
      ])
      expect(problems.join()).not.toContain('hunter2')
    },
  )

  test.each(['engine', 'api'])('is needed by the role %s', (role) => {
    const problems = problemsOf({ TOLLBOOK_ROLE: role })
    expect(problems).toContain(`DATABASE_URL: required when TOLLBOOK_ROLE is ${role}`)
    expect(problems).toContain(`REDIS_URL: required when TOLLBOOK_ROLE is ${role}`)
    expect(problems).toContain(`TOLLBOOK_BASE_URL: required when TOLLBOOK_ROLE is ${role}`)
    expect(
      problemsOf({ ...shared, TOLLBOOK_BASE_URL: 'https://sells.example', TOLLBOOK_ROLE: role }),
    ).toEqual([])
  })

  test.each(['engine', 'api'])('names what both live mode and the role %s need once', (role) => {
    const problems = problemsOf({ TOLLBOOK_ROLE: role, TOLLBOOK_MODE: 'live' })
    expect(problems.filter((problem) => problem.startsWith('TOLLBOOK_BASE_URL'))).toEqual([
      'TOLLBOOK_BASE_URL: required in live mode',
    ])
  })

  test('a role is one of three', () => {
    expect(problemsOf({ TOLLBOOK_ROLE: 'all' })).toEqual([])
    expect(problemsOf({ TOLLBOOK_ROLE: 'none' })).toEqual(['TOLLBOOK_ROLE: must be one of all, engine, api'])
  })

  test('another word than those that a variable takes is told in our words', () => {
    expect(problemsOf({ TOLLBOOK_LOG_LEVEL: 'loud', TOLLBOOK_CONTACT_EMAIL: 'nobody' })).toEqual([
      'TOLLBOOK_CONTACT_EMAIL: must be an e-mail address',
      'TOLLBOOK_LOG_LEVEL: must be one of silent, error, warn, info, debug',
    ])
  })

  test('keys of the account are for engines, and an api that has them is told', () => {
    const env = { ...shared, TOLLBOOK_BASE_URL: 'https://sells.example' }
    const keys = {
      TOLLBOOK_POLY_OWNER_KEY: `0x${'1'.repeat(64)}`,
      TOLLBOOK_POLY_RELAYER_KEY: 'key-of-the-relayer',
      TOLLBOOK_POLY_RELAYER_ADDRESS: live.TOLLBOOK_PAY_TO_EVM,
    }
    const noticesOf = (role: string) => readConfig({ ...live, ...env, ...keys, TOLLBOOK_ROLE: role }).notices
    expect(noticesOf('api')).toEqual([
      expect.stringMatching('^TOLLBOOK_POLY_OWNER_KEY: only engines trade'),
      expect.stringMatching('^TOLLBOOK_POLY_RELAYER_KEY: only engines trade'),
    ])
    expect(noticesOf('engine')).toEqual([])
  })

  test('engines are named to a process that is none', () => {
    const env = { ...shared, TOLLBOOK_BASE_URL: 'https://sells.example' }
    const urls = { TOLLBOOK_ENGINE_URLS: 'http://10.0.0.1:4020, http://10.0.0.2:4020' }
    expect(readConfig({ ...env, ...urls, TOLLBOOK_ROLE: 'api' }).engineUrls).toEqual([
      'http://10.0.0.1:4020',
      'http://10.0.0.2:4020',
    ])
    expect(problemsOf({ ...env, ...urls })).toEqual([
      expect.stringContaining('only a process of the role api'),
    ])
    expect(problemsOf({ ...env, TOLLBOOK_ENGINE_URLS: 'engine:4020', TOLLBOOK_ROLE: 'api' })).toHaveLength(1)
  })
})
