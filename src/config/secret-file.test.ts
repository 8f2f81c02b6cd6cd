import { spawnSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isSecret } from '../core/secret.ts'
import { liveEnvironment } from '../testing/config/live-environment.ts'
import { temporaryDir } from '../testing/ledger/temporary-dir.ts'
import { ConfigError, readConfig } from './config.ts'
import { readEnvFile } from './env-file.ts'
import { SECRET_NAMES } from './gather.ts'
import type { Variable } from './variables/variable.ts'
import { VARIABLES } from './variables/variables.ts'

const KEY = '0123456789abcdef'.repeat(2)
const { TOLLBOOK_OPERATOR_KEY: _, ...live } = liveEnvironment

function fileWith(content: string | Buffer, mode = 0o600): string {
  const path = join(temporaryDir(), 'secret')
  writeFileSync(path, content)
  chmodSync(path, mode)
  return path
}

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}
const faultOf = (path: string) => problemsOf({ ...live, TOLLBOOK_OPERATOR_KEY_FILE: path })

describe('a secret from a file', () => {
  test.each(['', '\n', '\r\n', '\n\n'])('is its content without the line ends at its end: %j', (end) => {
    const config = readConfig({ ...live, TOLLBOOK_OPERATOR_KEY_FILE: fileWith(`${KEY}${end}`) })
    expect(config.operatorKey?.reveal()).toBe(KEY)
    expect(config.notices).toEqual([])
  })

  test('may be named in .env, and may be a key of several lines', () => {
    const pem = `-----BEGIN KEY-----\n${KEY}\n-----END KEY-----`
    const env = fileWith(
      `TOLLBOOK_FACILITATOR_KEY_ID=name\nTOLLBOOK_FACILITATOR_KEY_FILE=${fileWith(`${pem}\n`)}\n`,
    )
    expect(readConfig({}, readEnvFile(env)).facilitatorKey?.key.reveal()).toBe(pem)
  })

  test('may be an address that holds a key', () => {
    const urls = fileWith('https://base.example/v2/abcdefgh,https://two.example\n')
    const { TOLLBOOK_EVM_RPC_URL: _, ...rest } = liveEnvironment
    expect(readConfig({ ...rest, TOLLBOOK_EVM_RPC_URL_FILE: urls }).chains.evmRpcUrls).toHaveLength(2)
  })

  test('obeys the rules of its variable', () => {
    const path = fileWith(KEY)
    expect(problemsOf({ TOLLBOOK_CLOB_API_KEY_FILE: path })).toContain(
      'TOLLBOOK_CLOB_API_KEY: refused in sandbox mode: the sandbox makes its own credentials',
    )
    expect(problemsOf({ TOLLBOOK_EVM_RPC_URL_FILE: fileWith('https://base.example') })).toEqual([
      expect.stringMatching('^TOLLBOOK_EVM_RPC_URL: must be an address of this machine'),
    ])
    expect(problemsOf({ ...live, TOLLBOOK_OPERATOR_KEY_FILE: fileWith('too short') })).toEqual([
      expect.stringMatching('^TOLLBOOK_OPERATOR_KEY: must have 16 to 512 characters'),
    ])
  })

  test('beside its variable is refused, whichever of them would win', () => {
    const both = { ...liveEnvironment, TOLLBOOK_OPERATOR_KEY_FILE: fileWith(KEY) }
    expect(problemsOf(both)).toEqual([
      'TOLLBOOK_OPERATOR_KEY_FILE: set beside TOLLBOOK_OPERATOR_KEY: remove one of the two',
    ])
  })

  test('that every user of the machine can read is noticed', () => {
    const path = fileWith(KEY, 0o644)
    expect(readConfig({ ...live, TOLLBOOK_OPERATOR_KEY_FILE: path }).notices).toEqual([
      `TOLLBOOK_OPERATOR_KEY: every user of this machine can read it: chmod 600 ${path}`,
    ])
  })
})

describe('a file that holds no secret is one mistake among all others, and not shown', () => {
  const folder = () => temporaryDir()
  const pipe = () => {
    const path = join(temporaryDir(), 'pipe')
    spawnSync('mkfifo', [path])
    return path
  }

  test.each([
    ['none', () => join(temporaryDir(), KEY), 'its file cannot be read (ENOENT)'],
    ['a path that no system takes', () => `a\0${KEY}`, 'its file cannot be read (ERR_INVALID_ARG_VALUE)'],
    ['a directory', folder, 'names a directory: name a file'],
    ['a pipe that nobody writes to', pipe, 'names a pipe or a device: name a file'],
    ['an endless device', () => '/dev/zero', 'names a pipe or a device: name a file'],
    ['an empty file', () => fileWith(''), 'its file is empty'],
    ['a file of line ends', () => fileWith('\n\r\n'), 'its file is empty'],
    [
      'a large file',
      () => fileWith('k'.repeat(16_385)),
      'its file is longer than 16384 bytes: it must hold the value and nothing else',
    ],
    [
      'bytes that are no text',
      () => fileWith(Buffer.from([0xff, 0xfe, 0x41])),
      'its file is not text: it must hold the value as UTF-8',
    ],
    [
      'a text with a NUL',
      () => fileWith(`${KEY}\0`),
      'its file is not text: it must hold the value as UTF-8',
    ],
  ])('%s', (_name, make, fault) => {
    const problems = problemsOf({ ...live, TOLLBOOK_OPERATOR_KEY_FILE: make(), PORT: '70000' })
    expect(problems).toEqual([
      `TOLLBOOK_OPERATOR_KEY_FILE: ${fault}`,
      'PORT: must be a whole number from 0 to 65535',
    ])
    expect(problems.join()).not.toContain(KEY)
  })

  test('the largest file is read', () => {
    expect(faultOf(fileWith('k'.repeat(16_384)))).toEqual([expect.stringMatching('16 to 512 characters')])
  })

  test('its mode and its pair are still looked at', () => {
    expect(problemsOf({ TOLLBOOK_CLOB_API_KEY_FILE: folder() }).map((each) => each.split(':')[0])).toEqual([
      'TOLLBOOK_CLOB_API_KEY_FILE',
      'TOLLBOOK_CLOB_API_KEY',
    ])
  })
})

describe('which variables may be read from files', () => {
  test('each whose value is hidden, and no other', () => {
    const samples = [
      'k'.repeat(20),
      `0x${'1'.repeat(64)}`,
      'postgres://u:p@h/d',
      'redis://:p@h',
      'https://u.example/k',
    ]
    const hidden = Object.entries<Variable>(VARIABLES)
      .filter(([, { type }]) => samples.some((sample) => isSecret(type.safeParse(sample).data)))
      .map(([name]) => name)
    expect(hidden.length).toBeGreaterThan(10)
    expect(SECRET_NAMES).toEqual(expect.arrayContaining(hidden))
    expect(SECRET_NAMES).toEqual(expect.arrayContaining(['TOLLBOOK_EVM_RPC_URL', 'TOLLBOOK_INTEL_RPC_URL']))
  })

  test('another is refused', () => {
    expect(problemsOf({ TOLLBOOK_MODE_FILE: '/x', TOLLBOOK_MOOD_FILE: '/x' })).toEqual([
      'TOLLBOOK_MODE_FILE: only secrets are read from files: set TOLLBOOK_MODE',
      'TOLLBOOK_MOOD_FILE: no such variable; see .env.example',
    ])
  })
})
