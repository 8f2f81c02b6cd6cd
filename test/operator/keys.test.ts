import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { useLedger } from '../../src/app/ledger/use-ledger.ts'
import { readConfig } from '../../src/config/config.ts'
import { systemClock } from '../../src/core/time/clock.ts'
import { startWorld, type World } from '../../src/testing/world.ts'

const main = new URL('../../src/cli/main.ts', import.meta.url).pathname
const dataDir = mkdtempSync(join(tmpdir(), 'tollbook-keys-'))
const keyFile = join(dataDir, 'operator-key')
/** Within a second, which operator-check.test.ts shows on its own clock; here a busy machine must not decide. */
const SEEN_WITHIN_MS = 30_000

let world: World
beforeAll(async () => {
  const env = { TOLLBOOK_PUBLIC_REVENUE: 'off', TOLLBOOK_TRUSTED_PROXIES: '127.0.0.1' }
  world = await startWorld({ TOLLBOOK_DATA_DIR: dataDir, ...env })
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  rmSync(dataDir, { recursive: true, force: true })
})

async function keys(...args: string[]) {
  const env = { PATH: process.env.PATH, TOLLBOOK_DATA_DIR: dataDir }
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [main, 'keys', ...args], {
    env,
    cwd: dataDir,
  })
  return { stdout: stdout.trim(), stderr }
}
let client = 0
const statusWith = async (key: string) => {
  // Each from an address of its own: who sends wrong keys again and again is told to wait.
  const from = `10.0.0.${++client}`
  const reply = await world.get('/x402/stats', { authorization: `Bearer ${key}`, 'x-forwarded-for': from })
  await reply.body?.cancel()
  return reply.status
}
/** Asked again and again: when the change is seen is what is tested. */
const until = (status: number, key: string) =>
  vi.waitFor(async () => expect(await statusWith(key)).toBe(status), {
    timeout: SEEN_WITHIN_MS,
    interval: 100,
  })

test('the first start of a sandbox makes a key that only its owner can read, the next makes none', async () => {
  const key = readFileSync(keyFile, 'utf8').trim()
  expect(statSync(keyFile).mode & 0o777).toBe(0o600)
  expect(world.app.firstKey).toMatchObject({ file: keyFile })
  expect(world.app.firstKey?.key.reveal()).toBe(key)
  expect(await statusWith(key)).toBe(200)
  expect(await statusWith(`${key}x`)).toBe(401)
  await world.restart()
  expect(world.app.firstKey).toBeUndefined()
  expect(await statusWith(key)).toBe(200)
  expect(readFileSync(keyFile, 'utf8').trim()).toBe(key)
})

test('a running service takes keys that the command makes, rotates and revokes', async () => {
  const made = await keys('make', '--label', 'bot', '--scope', 'trade')
  const id = /key (\w{8}),/.exec(made.stderr)?.[1] ?? ''
  await until(200, made.stdout)
  const next = await keys('rotate', id, '--grace', '0s')
  await until(401, made.stdout)
  await until(200, next.stdout)
  const nextId = /key (\w{8}),/.exec(next.stderr)?.[1] ?? ''
  await keys('revoke', nextId)
  await until(401, next.stdout)
})

test('a restart writes down when a key was used last, and who called what', async () => {
  expect((await keys('list')).stdout).toMatch(/sandbox +admin,trade/)
  await statusWith(readFileSync(keyFile, 'utf8').trim())
  await world.restart()
  expect((await keys('list')).stdout).toMatch(/sandbox +admin,trade +\d{4}\S+Z +\d{4}\S+Z +-/)
  const config = readConfig({ TOLLBOOK_DATA_DIR: dataDir })
  const audit = await useLedger({ config, clock: systemClock }, ({ operator: book }) =>
    book.audit({ limit: 100, offset: 0 }),
  )
  const calls = new Set(
    audit.map(({ endpoint, keyId, status }) => `${endpoint} ${keyId ? 'key' : 'nobody'} ${status}`),
  )
  expect(calls).toEqual(new Set(['payments.stats key 200', 'payments.stats nobody 401']))
})
