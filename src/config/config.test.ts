import { readFileSync } from 'node:fs'
import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'
import { renderConfigTable, renderEnvExample } from './describe.ts'
import { VARIABLES } from './variables.ts'

const problemsOf = (env: Record<string, string>): readonly string[] => {
  try {
    readConfig(env)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}
const live = {
  TOLLBOOK_MODE: 'live',
  TOLLBOOK_PAY_TO_EVM: `0x${'a'.repeat(40)}`,
  TOLLBOOK_PAY_TO_SVM: '1'.repeat(32),
  TOLLBOOK_BASE_URL: 'https://api.example.com/',
  TOLLBOOK_OPERATOR_KEY: 'k'.repeat(32),
  TOLLBOOK_FACILITATORS: 'https://one.example, https://two.example',
  TOLLBOOK_EVM_RPC_URL: 'https://base.example',
  TOLLBOOK_SVM_RPC_URL: 'https://solana.example',
}

describe('config', () => {
  test('nothing configured is the sandbox on 127.0.0.1:4020', () => {
    const config = readConfig({})
    expect(config).toMatchObject({ host: '127.0.0.1', port: 4020, mode: 'sandbox', role: 'all' })
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
      DATABASE_URL: 'mysql://x',
      TOLLBOOK_DEMOCALLS: '7',
    })
    for (const name of ['PORT', 'TOLLBOOK_MODE', 'TOLLBOOK_DEMO_CALLS_PER_DAY', 'TOLLBOOK_TRUSTED_PROXIES'])
      expect(problems.join('\n')).toContain(`${name}: `)
    expect(problems).toHaveLength(7)
  })

  test('live needs its money addresses, the sandbox refuses them', () => {
    expect(readConfig(live)).toMatchObject({
      baseUrl: 'https://api.example.com',
      facilitators: ['https://one.example', 'https://two.example'],
    })
    expect(problemsOf({ TOLLBOOK_MODE: 'live' })).toHaveLength(7)
    expect(problemsOf({ TOLLBOOK_PAY_TO_EVM: live.TOLLBOOK_PAY_TO_EVM })).toHaveLength(1)
  })

  test('play money stays on this machine', () => {
    expect(problemsOf({ TOLLBOOK_EVM_RPC_URL: 'https://base.example' })).toHaveLength(1)
    expect(problemsOf({ TOLLBOOK_EVM_RPC_URL: 'http://127.0.0.1:8545' })).toHaveLength(0)
  })

  test('credentials come whole or not at all', () => {
    expect(problemsOf({ TOLLBOOK_CLOB_API_KEY: 'k'.repeat(20) })).toHaveLength(2)
    expect(problemsOf({ TOLLBOOK_FACILITATOR_KEY_ID: 'name' })).toEqual([
      'TOLLBOOK_FACILITATOR_KEY: required when the other half of the key is set',
    ])
    expect(problemsOf({ TOLLBOOK_FACILITATOR_KEY: 'k'.repeat(20) })).toEqual([
      'TOLLBOOK_FACILITATOR_KEY_ID: required when the other half of the key is set',
    ])
  })

  test('the total follows a higher per-client limit, an own total wins', () => {
    expect(readConfig({ TOLLBOOK_DEMO_CALLS_PER_DAY: '50000' }).demo.totalPerDay).toBe(50_000)
    expect(readConfig({ TOLLBOOK_DEMO_TOTAL_PER_DAY: '7' }).demo.totalPerDay).toBe(7)
  })

  test('an empty value counts as absent', () => expect(readConfig({ PORT: '' }).port).toBe(4020))

  test('secrets do not print', () => {
    const shown = inspect(readConfig({ ...live, DATABASE_URL: 'postgres://u:hunter2@h/db' }), { depth: 9 })
    expect(shown).not.toMatch(/hunter2|kkkk/)
  })

  test('the example file and the table are what the schema says', () => {
    const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
    expect(read('../../.env.example')).toBe(renderEnvExample())
    expect(read('../../docs/configuration.md')).toBe(renderConfigTable())
    for (const [name, type] of Object.entries(VARIABLES)) expect(type.description, name).toBeTruthy()
  })
})
