import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { silentLog } from '../core/log.ts'
import { groupOf } from '../testing/catalog/group-of.ts'
import { type Served, serveGroup } from '../testing/http/serve-groups.ts'
import { probes } from './aside.ts'

let reasons: string[] = []
const lines: unknown[] = []
const calls: unknown[] = []
let served: Served
beforeAll(async () => {
  served = await serveGroup(groupOf() as never, {} as never, {
    aside: probes(async () => reasons),
    onCall: (call) => calls.push(call),
    log: { ...silentLog, request: (line) => void lines.push(line) },
  })
})
afterAll(() => served.close())
beforeEach(() => {
  reasons = []
})

test('a process whose loop turns is live, whatever else is wrong', async () => {
  reasons = ['draining']
  const { status, body, headers } = await served.ask('GET', '/livez')
  expect([status, JSON.parse(body), headers['cache-control']]).toEqual([200, { status: 'live' }, 'no-store'])
})

test('readiness is 200, or 503 with every reason', async () => {
  expect(await served.ask('GET', '/readyz')).toMatchObject({ status: 200, body: '{"status":"ready"}' })
  reasons = ['starting', 'the ledger does not answer']
  const { status, body } = await served.ask('GET', '/readyz?verbose=1')
  expect([status, JSON.parse(body)]).toEqual([503, { status: 'not_ready', reasons }])
})

test('HEAD has no body, other methods are told which there are, and nothing near these paths is one of them', async () => {
  expect(await served.ask('HEAD', '/readyz')).toMatchObject({ status: 200, body: '' })
  const posted = await served.ask('POST', '/livez', {}, 'x')
  expect([posted.status, posted.headers.allow]).toEqual([405, 'GET, HEAD'])
  for (const path of ['/livez/', '/LIVEZ', '//livez', '/live%7a', '/readyz/x'])
    expect([path, (await served.ask('GET', path)).status]).toEqual([path, 404])
})

test('neither a log line nor a counted call comes of a probe', async () => {
  const before = lines.length
  for (let n = 0; n < 50; n++) await served.ask('GET', n % 2 ? '/livez' : '/readyz')
  expect([lines.length, calls]).toEqual([before, []])
  await served.ask('GET', '/nothing')
  expect(lines.length).toBe(before + 1)
})
