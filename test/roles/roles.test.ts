import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { isRedisMissing } from '../../src/testing/access/redis-server.ts'
import { isServerMissing } from '../../src/testing/ledger/postgres-server.ts'
import { startProcess, TOLLBOOK_MAIN } from '../../src/testing/process-life.ts'
import { type Fleet, startFleet } from '../fleet/fleet.ts'
import { until } from '../fleet/until.ts'

const PAGE = { accept: 'text/html,application/xhtml+xml' }
const WITHIN_MS = 60_000

type Line = { time: string | number; msg: string; term?: number }

describe.skipIf(isServerMissing || isRedisMissing)('engines and an api', () => {
  let fleet: Fleet
  beforeAll(async () => {
    fleet = await startFleet({ engines: 2, apis: 1 })
  })
  afterAll(async () => {
    await fleet?.end()
    if (fleet) rmSync(fleet.dir, { recursive: true, force: true })
  })

  const linesOf = (name: string): Line[] =>
    readFileSync(join(fleet.dir, `${name}.log`), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line))
  const lastOf = (name: string, msg: string) => linesOf(name).findLast((line) => line.msg.startsWith(msg))
  const timeOf = (line: Line | undefined) => new Date(line?.time ?? Number.NaN).getTime()

  test("the operator's console is a page of the api, and what it asks for needs the key", async () => {
    const address = `${fleet.apis[0]?.url}/admin/dashboard`
    const page = await fetch(address, { headers: PAGE })
    expect([page.status, page.headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining('text/html'),
    ])
    await page.text()
    expect((await fetch(address)).status).toBe(401)
  })

  test('an engine without the key of the others does not stand by', async () => {
    const leader = await fleet.leader()
    const dir = mkdtempSync(join(tmpdir(), 'tollbook-no-key-'))
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
    const [logFile, data] = [join(dir, 'engine.log'), join(dir, 'data')]
    const filter = (path: string) => !/ledger|service-key/.test(path)
    cpSync(join(fleet.dir, 'data'), data, { recursive: true, filter })
    const life = startProcess({
      ...{ args: [TOLLBOOK_MAIN, 'serve'], cwd: dir, logFile },
      env: {
        ...{ PATH: process.env.PATH, HOST: '127.0.0.1', PORT: '0', TOLLBOOK_ROLE: 'engine' },
        ...{ TOLLBOOK_DATA_DIR: data, TOLLBOOK_BASE_URL: 'http://shop.tollbook.test' },
        ...{ DATABASE_URL: fleet.postgres.url, REDIS_URL: fleet.redis.url },
      },
    })
    expect((await life.gone).how).toBe('exit code 1')
    expect(readFileSync(logFile, 'utf8')).toContain('service-key.json')
    expect(await fleet.leader()).toBe(leader)
  })

  test('a leader that is told to stop tells the api what it knows until the next one is open', {
    timeout: 240_000,
  }, async () => {
    const leader = await fleet.leader()
    const next = fleet.engines.find((engine) => engine !== leader)
    if (!leader || !next) throw new Error('one leads and one stands by')
    const stands = () => existsSync(join(fleet.dir, `${next.name}.log`)) && lastOf(next.name, 'standing by')
    await until('an engine that stands by', () => stands() !== undefined, WITHIN_MS)
    const before = fleet.apis[0]
    expect((await fetch(`${before?.url}/readyz`)).status).toBe(200)
    await leader.restart()
    await until('the next leader', async () => (await fleet.leader()) === next, WITHIN_MS)
    const [led, opened] = [lastOf(next.name, 'this process leads'), lastOf(next.name, 'listening')]
    const ended = lastOf(leader.name, 'another engine leads; this one says nothing more')
    const earlier = lastOf(leader.name, 'this process leads')
    expect(led?.term).toBeGreaterThan(earlier?.term ?? Number.NaN)
    expect([opened !== undefined, ended !== undefined]).toEqual([true, true])
    expect(timeOf(ended)).toBeGreaterThan(timeOf(opened))
    expect(timeOf(opened)).toBeGreaterThan(timeOf(led))
  })
})
