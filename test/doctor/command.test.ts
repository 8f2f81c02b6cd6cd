import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { isSecret } from '../../src/core/secret.ts'
import { choosePort } from '../../src/http/listen.ts'
import { temporaryDir } from '../../src/testing/ledger/temporary-dir.ts'
import { startWorld, type World } from '../../src/testing/world.ts'
import { type DoctorWorld, noAnvil, openDoctorWorld, SECRETS } from './doctor-world.ts'

const main = new URL('../../src/cli/main.ts', import.meta.url).pathname
type Report = {
  status: string
  mode: string | null
  checks: { name: string; status: string; what: string }[]
}

function doctor(env: Record<string, string>, ...args: string[]) {
  const startedMs = performance.now()
  return new Promise<{ code: number; stdout: string; stderr: string; tookMs: number }>((resolve) => {
    const options = { env: { PATH: process.env.PATH, ...env }, cwd: temporaryDir() }
    const child = execFile(process.execPath, [main, 'doctor', ...args], options, (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr, tookMs: performance.now() - startedMs }),
    )
  })
}
/** Names, modes and contents of all files, but not of what a running service writes by itself. */
function snapshot(dir: string): string[] {
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .sort()
    .flatMap((name) => {
      const stats = statSync(join(dir, name), { throwIfNoEntry: false })
      if (!stats?.isFile()) return [name]
      const hash = createHash('sha256')
        .update(readFileSync(join(dir, name)))
        .digest('hex')
      return [`${name} ${stats.mode.toString(8)} ${hash}`]
    })
}

describe('beside a service in sandbox mode', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'doctor-sandbox-'))
  let world: World
  let env: Record<string, string>
  beforeAll(async () => {
    env = { TOLLBOOK_DATA_DIR: dataDir, PORT: String(await choosePort('127.0.0.1', 0)) }
    world = await startWorld(env)
  }, 60_000)
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

  test('asks its /health, and after its end says that it does not run and leaves everything as it was', async () => {
    const running = await doctor(env, '--json')
    const { mode, checks } = JSON.parse(running.stdout) as Report
    expect([mode, running.stderr]).toEqual(['sandbox', ''])
    const whatOf = (name: string, of = checks) => of.find((check) => check.name === name)?.what
    expect(whatOf('service')).toContain(`runs at http://127.0.0.1:${env.PORT}, /health says`)
    expect(checks.filter(({ status }) => status === 'failure')).toEqual([])
    expect(whatOf('operator-keys')).toContain('"sandbox" (admin, trade), never used')
    expect((await world.get('/health')).status).toBe(200)
    const tokens = await doctor(env, '--json', '--only', 'tokens', '--only', 'directory')
    expect([tokens.code, tokens.stderr]).toEqual([0, ''])
    const told = (JSON.parse(tokens.stdout) as Report).checks
    expect(told.map(({ name }) => name)).toEqual(['simulated-tokens', 'simulated-directory'])
    expect(whatOf('simulated-tokens', told)).toMatch(/simulated sources/)
    for (const name of ['bazaar', 'ecosystem']) expect(whatOf('simulated-directory', told)).toContain(name)

    await world.app.stop()
    const before = snapshot(dataDir)
    const stopped = await doctor(env, '--json')
    expect(stopped.code).toBe(0)
    const after = JSON.parse(stopped.stdout) as Report
    expect(whatOf('service', after.checks)).toContain('does not run')
    expect(whatOf('ledger', after.checks)).toMatch(/^readable, version \d+, of sandbox mode$/)
    expect(whatOf('chain-state', after.checks)).toBe('readable')
    expect(whatOf('simulated-whales', after.checks)).toContain('inside the service, which does not run')
    expect(whatOf('service-key', after.checks)).toMatch(/^did:key:/)
    expect(snapshot(dataDir)).toEqual(before)

    const other = await doctor({ ...env, TOLLBOOK_MODE: 'paper' }, '--only', 'ledger')
    expect([other.code, other.stdout]).toEqual([1, expect.stringContaining('is a ledger of sandbox mode')])
  })
})

describe.skipIf(noAnvil)('in live mode', () => {
  let world: DoctorWorld
  beforeAll(async () => {
    world = await openDoctorWorld()
  }, 60_000)
  afterAll(() => world.close())

  test('a wrong configuration, a failure, a warning and wrong options have codes of their own', async () => {
    const dir = { TOLLBOOK_DATA_DIR: temporaryDir() }
    const wrong = await doctor({ TOLLBOOK_MODE: 'live', PORT: 'x' })
    expect([wrong.code, wrong.stdout]).toEqual([
      1,
      expect.stringContaining('TOLLBOOK_PAY_TO_EVM: required in live mode'),
    ])
    expect(wrong.stdout).toContain('PORT: must be a whole number')
    const warned = await doctor({ ...world.live, ...dir }, '--only', 'backups')
    expect([warned.code, warned.stdout]).toEqual([0, expect.stringMatching(/^WARNING backups/)])
    expect((await doctor({ ...world.live, ...dir }, '--only', 'backups', '--strict')).code).toBe(1)
    const away = { ...world.live, ...dir, TOLLBOOK_UPSTREAM_GAMMA_URL: 'http://127.0.0.1:2' }
    expect((await doctor(away, '--only', 'gamma')).code).toBe(1)
    expect((await doctor(world.live, '--only', 'nothing')).code).toBe(2)
    expect((await doctor(world.live, '--timeout', '0')).code).toBe(2)
  })

  test('no secret is shown, whatever fails', async () => {
    const dataDir = temporaryDir()
    const env = { ...world.live, TOLLBOOK_DATA_DIR: dataDir }
    const secrets = [...Object.values(SECRETS), ...secretsIn(readConfig(env))]
    expect(secrets.length).toBeGreaterThan(7)
    const away = Object.fromEntries(
      Object.entries(env).map(([name, value]) => [name, value.replace(/127\.0\.0\.1:\d+/, '127.0.0.1:2')]),
    )
    for (const { stdout, stderr } of [await doctor(env), await doctor(env, '--json'), await doctor(away)])
      for (const secret of secrets) expect(`${stdout}${stderr}`).not.toContain(secret)
    expect(readdirSync(dataDir)).toEqual([])
  })

  test('a world that hangs is told within the time limit', async () => {
    const { outages } = world.internet
    const providers = ['binance', 'coinbase', 'polybolt', 'gamma', 'clob', 'poly_data', 'poly_web', 'relayer']
    for (const provider of providers)
      for (const channel of ['rest', 'socket'] as const) outages.set(provider, channel, { kind: 'hang' })
    world.evmNode.fail('hang')
    world.svmNode.fail('hang')
    const { code, stdout, tookMs } = await doctor(
      { ...world.live, TOLLBOOK_DATA_DIR: temporaryDir() },
      '--timeout',
      '2',
    )
    expect(code).toBe(1)
    const failed = [...stdout.matchAll(/^FAILURE +(\S+)/gm)].map(([, name]) => name)
    // On a busy machine others may take more than two seconds too.
    expect(failed).toEqual(expect.arrayContaining(HANGING))
    // Two seconds, and the start of the process on a busy machine.
    expect(tookMs).toBeLessThan(60_000)
  })
})

/** The checks that ask a provider or a node that hangs. */
const HANGING = [
  ...[
    'base-node',
    'solana-node',
    'clock',
    'binance',
    'binance-socket',
    'coinbase',
    'coinbase-socket',
    'oracle',
  ],
  ...['gamma', 'clob', 'poly-data', 'clob-socket', 'geoblock', 'relayer', 'trading-account'],
]

function secretsIn(value: unknown): string[] {
  if (isSecret(value)) return [value.reveal()]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(secretsIn) : []
}
