import { afterAll, expect, test } from 'vitest'
import { openLedger } from '../../src/app/ledger/open-ledger.ts'
import { readConfig } from '../../src/config/config.ts'
import { silentLog } from '../../src/core/log.ts'
import { systemClock } from '../../src/core/time/clock.ts'
import { isRedisMissing, startRedis } from '../../src/testing/access/redis-server.ts'
import { dropSchemas, freshSchema, isPostgresMissing } from '../../src/testing/ledger/postgres.ts'
import { temporaryDir } from '../../src/testing/ledger/temporary-dir.ts'
import { broken, state } from './examined.ts'

afterAll(dropSchemas)

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

test('a database that is not there is named without its password', async () => {
  const found = await state({ DATABASE_URL: 'postgres://me:hunter2hunter2@127.0.0.1:1/none' }, 'ledger')
  expect(found).toMatchObject(broken('the ledger cannot be reached'))
  expect(JSON.stringify(found)).not.toContain('hunter2')
})

test.skipIf(isRedisMissing)('Redis is asked', async () => {
  const server = await startRedis()
  expect(await state({ REDIS_URL: server.url }, 'redis')).toMatchObject({ state: 'ok' })
  await server.end()
  expect(await state({ REDIS_URL: server.url }, 'redis', { timeoutMs: 500 })).toMatchObject(
    broken('no answer'),
  )
})
