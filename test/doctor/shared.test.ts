import { createServer } from 'node:http'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { openLedger } from '../../src/app/ledger/open-ledger.ts'
import { readConfig } from '../../src/config/config.ts'
import { silentLog } from '../../src/core/log.ts'
import { systemClock } from '../../src/core/time/clock.ts'
import { listen } from '../../src/http/listen.ts'
import { isRedisMissing, startRedis } from '../../src/testing/access/redis-server.ts'
import { dropSchemas, freshSchema, isPostgresMissing } from '../../src/testing/ledger/postgres.ts'
import { temporaryDir } from '../../src/testing/ledger/temporary-dir.ts'
import { broken, state } from './examined.ts'

afterAll(dropSchemas)

const NOWHERE = 'postgres://me@127.0.0.1:1/none'
const BASE = { TOLLBOOK_BASE_URL: 'http://shop.tollbook.test' }

async function engineOf(status: number) {
  const server = createServer((_, response) => response.writeHead(status).end('{}'))
  const port = await listen(server, '127.0.0.1', 0)
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${port}` }
}

test.skipIf(isPostgresMissing)('a database is looked at, and nothing is made in it', async () => {
  const env = { DATABASE_URL: await freshSchema(), TOLLBOOK_DATA_DIR: temporaryDir() }
  const empty = { state: 'ok', what: expect.stringContaining('is empty: the first start makes the ledger') }
  expect(await state(env, 'ledger')).toMatchObject(empty)
  expect(await state(env, 'ledger')).toMatchObject(empty)
  expect(await state(env, 'service-key')).toMatchObject({ state: 'ok' })
  const ledger = await openLedger({ config: readConfig(env), clock: systemClock, log: silentLog })
  await ledger.leadership?.won()
  const { id } = await ledger.openKey()
  await ledger.close()
  expect(await state(env, 'ledger')).toMatchObject({
    state: 'ok',
    what: expect.stringMatching(/led last, since 2\d{3}-\d\d-\d\dT[\d:.]+Z$/),
  })
  expect(await state(env, 'service-key')).toMatchObject({ state: 'ok', what: id })
})

test.skipIf(isPostgresMissing)(
  'a database of another mode is no outage, and says itself what to do',
  async () => {
    const env = { DATABASE_URL: await freshSchema() }
    const sandbox = readConfig({ ...env, TOLLBOOK_DATA_DIR: temporaryDir() })
    await (await openLedger({ config: sandbox, clock: systemClock, log: silentLog })).close()
    expect(await state({ ...env, TOLLBOOK_MODE: 'paper' }, 'ledger')).toMatchObject({
      state: 'failure',
      what: expect.stringMatching(/sandbox mode.*paper mode/),
      next: [],
    })
  },
)

test.skipIf(isPostgresMissing)('a process without the key of the others is told where it is', async () => {
  const env = { DATABASE_URL: await freshSchema() }
  const first = readConfig({ ...env, TOLLBOOK_DATA_DIR: temporaryDir() })
  const ledger = await openLedger({ config: first, clock: systemClock, log: silentLog })
  await ledger.leadership?.won()
  await ledger.openKey()
  await ledger.close()
  expect(await state(env, 'service-key')).toMatchObject({
    state: 'failure',
    next: [expect.stringContaining('another process')],
  })
})

test('an api asks its engines: one must lead', async () => {
  const engines = await Promise.all([engineOf(200), engineOf(503)])
  const [leads, stands] = engines.map(({ url }) => url)
  const api = { DATABASE_URL: NOWHERE, REDIS_URL: 'redis://127.0.0.1:1', TOLLBOOK_ROLE: 'api' }
  const named = (...urls: (string | undefined)[]) =>
    state({ ...api, ...BASE, TOLLBOOK_ENGINE_URLS: urls.join() }, 'engines')
  expect(await named(leads, stands)).toMatchObject({ state: 'ok', what: 'one leads; standing by: 1' })
  expect(await named(stands)).toMatchObject(broken('none leads'))
  expect(await named(leads, leads)).toMatchObject(broken('2 of them lead'))
  expect(await named(leads, 'http://127.0.0.1:1/a-key')).toMatchObject({
    state: 'warning',
    what: 'no answer from http://127.0.0.1:1/(hidden)',
  })
  expect(await named('http://127.0.0.1:1')).toMatchObject(broken('no answer'))
  expect(await state({ ...api, ...BASE }, 'engines')).toMatchObject({ state: 'warning' })
})

test('a database that is not there is named without its password', async () => {
  const found = await state({ DATABASE_URL: 'postgres://me:hunter2hunter2@127.0.0.1:1/none' }, 'ledger')
  expect(found).toMatchObject(
    broken('none at 127.0.0.1:1: the ledger cannot be reached .connect ECONNREFUSED'),
  )
  expect(JSON.stringify(found)).not.toContain('hunter2')
  // Nobody knows then whether the key is right: to replace it would be the worst advice.
  expect(await state({ DATABASE_URL: NOWHERE }, 'service-key')).toMatchObject({ state: 'skipped' })
})

test.skipIf(isRedisMissing)('Redis is asked, and why it fails is told', async () => {
  const server = await startRedis('--appendonly', 'yes')
  onTestFinished(server.end)
  const look = (url = server.url) => state({ REDIS_URL: url }, 'redis')
  expect(await look()).toMatchObject({ state: 'ok' })
  expect(await look(server.url.replace('//', '//me:wrong@'))).toMatchObject(broken('name or password'))
  await server.admin((client) => client.config('SET', 'maxmemory', '1'))
  expect(await look()).toMatchObject(broken('it has no room'))
  await server.end()
  expect(await look()).toMatchObject(broken('cannot be reached'))
})
