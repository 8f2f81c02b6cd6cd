import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { findConfigReads, type Reads } from '../testing/config/config-reads.ts'
import { liveEnvironment } from '../testing/config/live-environment.ts'
import { arrange } from './arrange.ts'
import { readConfig } from './config.ts'
import { VARIABLES, type Values } from './variables/variables.ts'

const SRC = fileURLToPath(new URL('..', import.meta.url))
const isProduction = (path: string) =>
  path.endsWith('.ts') && !path.endsWith('.test.ts') && !/^(config|testing)\b/.test(path)

function readsOf(sources: readonly (readonly [path: string, text: string])[]): Reads {
  const reads: Reads = { fields: new Set(), names: new Set() }
  for (const [path, text] of sources) findConfigReads(path, text, reads)
  return reads
}

/** Fields of the configuration that nothing reads; `demo.totalPerDay` is read where `demo` and `totalPerDay` are. */
const unread = ({ fields, names }: Reads, paths: readonly string[]) =>
  paths.filter((path) => {
    const [field = '', ...inner] = path.split('.')
    return !fields.has(field) || !inner.every((name) => names.has(name))
  })

const everything = readConfig({
  ...liveEnvironment,
  TOLLBOOK_CLOB_API_KEY: 'k'.repeat(20),
  TOLLBOOK_CLOB_SECRET: 'k'.repeat(20),
  TOLLBOOK_CLOB_PASSPHRASE: 'k'.repeat(20),
  TOLLBOOK_POLY_WALLET: `0x${'b'.repeat(40)}`,
  TOLLBOOK_FACILITATOR_KEY_ID: 'name',
  TOLLBOOK_FACILITATOR_KEY: 'k'.repeat(20),
  TOLLBOOK_BACKUP_PASSPHRASE: 'k'.repeat(20),
})
const paths = Object.entries(everything).flatMap(([field, value]) => {
  const isGroup = typeof value === 'object' && !Array.isArray(value) && !('reveal' in value)
  return isGroup ? Object.keys(value).map((name) => `${field}.${name}`) : field
})

describe('a variable exists when something reads it', () => {
  test('every declared variable reaches the configuration', () => {
    const taken = new Set<string>()
    const values = new Proxy({} as Values, {
      get: (_, name) => {
        taken.add(String(name))
        return ''
      },
    })
    arrange(values)
    expect([...taken].sort()).toEqual(Object.keys(VARIABLES).sort())
  })

  test('every field of the configuration is read outside of it', () => {
    const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(isProduction)
    const sources = files.map((path) => [path, readFileSync(join(SRC, path), 'utf8')] as const)
    const reads = readsOf(sources.filter(([, text]) => /config/i.test(text)))
    // A group such as `payTo` is handed on, and what it holds is read where nobody speaks of a configuration.
    const inner = paths.flatMap((path) => path.split('.').slice(1))
    for (const [path, text] of sources) {
      if (inner.every((name) => reads.names.has(name))) break
      findConfigReads(path, text, reads)
    }
    expect(unread(reads, paths)).toEqual([])
  })
})

describe('the search for readers', () => {
  test.each([
    ['a comment', '// config.port and config.demo.totalPerDay'],
    ['a text', `const hint = 'config.port'`],
    ['another object', 'const { port } = server; log(server.port)'],
    ['a write', 'const config = { port: 1 }'],
  ])('is not fooled by %s', (_, text) => {
    expect(unread(readsOf([['a.ts', text]]), ['port', 'demo.totalPerDay'])).toEqual([
      'port',
      'demo.totalPerDay',
    ])
  })

  test.each([
    'listen(config.port)',
    'listen(input.config.port)',
    'const { host, port } = config',
    'const { port: own } = readConfig(process.env)',
    'function listen({ port }: Config) {}',
    `function listen({ port }: Pick<Config, 'port'>) {}`,
    'function start({ config: { port } }: AppInput) {}',
  ])('finds %s', (text) => {
    expect(unread(readsOf([['a.ts', text]]), ['port'])).toEqual([])
  })
})
