import { setImmediate as nextTurn } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import {
  type Answer,
  FINE,
  faultOf,
  startHostileHost as start,
} from '../../testing/upstreams/hostile-host.ts'

test.each<[string, Answer, string]>([
  ['a page', (response) => response.end('<!doctype html><html>'), 'a page instead of JSON'],
  ['broken JSON', (response) => response.end('{"fine":tr'), 'not JSON'],
  ['nothing', (response) => response.end(), 'not JSON'],
  ['NaN', (response) => response.end('{"fine":NaN}'), 'not JSON'],
  ['broken UTF-8', (response) => response.end(Buffer.from([0x22, 0xc3, 0x28, 0x22])), 'not UTF-8'],
  ['UTF-16', (response) => response.end(Buffer.from(FINE, 'utf16le')), 'not JSON'],
  ['10,000 levels', (response) => response.end('['.repeat(1e4) + ']'.repeat(1e4)), 'more than 64 levels'],
  ['10 MB', (response) => response.end(`"${'x'.repeat(1e7)}"`), 'more than 4194304 bytes'],
  [
    'a gzip bomb',
    (response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(16 * 1024 * 1024))),
    'more than 4194304 bytes',
  ],
  ['another shape', (response) => response.end('{"fine":"yes"}'), 'GET /x: fine: Invalid input'],
  ['a list', (response) => response.end('[]'), 'GET /x: the reply: Invalid input'],
  ['a redirect', (response) => response.writeHead(302, { location: '/y' }).end(), 'answered 302'],
  ['no content', (response) => response.writeHead(204).end(), 'answered 204'],
])('%s is malformed, and not asked for again', async (_, answer, message) => {
  const { ask, on, outcome, asked, upstream } = await start()
  on(answer)
  const result = await outcome(ask())
  expect(faultOf(result)).toBe('malformed')
  expect(String(result)).toContain(message)
  expect(asked).toHaveLength(1)
  expect(upstream.counters()).toMatchObject({ state: 'ok', requests: 1, malformed: 1, lastOkMs: undefined })
})

test('a byte order mark is nothing to complain about', async () => {
  const { ask, on } = await start()
  on((response) => response.end(`\ufeff${FINE}`))
  expect(await ask()).toEqual({ fine: true })
})

test('brackets in a text are no depth', async () => {
  const { ask, on } = await start()
  on((response) => response.end(JSON.stringify({ fine: true, note: '\\"[{'.repeat(1000), '\\': '"[' })))
  expect(await ask()).toEqual({ fine: true })
})

test.each<[string, Answer]>([
  ['a reset', (response) => response.destroy()],
  [
    'a cut reply',
    (response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('{"fi', () => response.destroy())
    },
  ],
  ['broken gzip', (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip')],
  ['500', (response) => response.writeHead(500).end('{}')],
  ['503', (response) => response.writeHead(503).end('{"error":"off"}')],
  ['530', (response) => response.writeHead(530).end('<html>')],
])('%s is down, and asked for three times', async (_, answer) => {
  const { ask, on, outcome, asked, upstream } = await start()
  on(answer)
  expect(faultOf(await outcome(ask()))).toBe('down')
  expect(asked).toHaveLength(3)
  expect(upstream.counters()).toMatchObject({ state: 'ok', requests: 3, failures: 3, retries: 2 })
})

test('a repeat that succeeds is a success', async () => {
  const { ask, on, outcome, upstream, clock } = await start()
  let asked = 0
  on((response) => (++asked < 3 ? response.destroy() : response.end(FINE)))
  expect(await outcome(ask())).toEqual({ fine: true })
  expect(upstream.counters()).toMatchObject({ retries: 2, lastOkMs: clock.now(), lastError: undefined })
})

test('a host that hangs is left after 8 s, and again after the repeat', async () => {
  const { ask, on, until, asked, clock } = await start()
  on(() => {})
  const asking = ask().catch((error: unknown) => error)
  await until(() => asked.length === 1)
  clock.advance(8_000)
  // The wait between the two is 125 ms at least; nothing but the clock ends it.
  for (let turn = 0; turn < 20; turn++) await nextTurn()
  clock.advance(250)
  await until(() => asked.length === 2)
  clock.advance(8_000)
  const result = await asking
  expect([faultOf(result), String(result)]).toEqual(['down', expect.stringContaining('no reply in 8000 ms')])
  expect(asked).toHaveLength(2)
})

test('a reply that drips ends with its time', async () => {
  const { ask, on, until, clock } = await start()
  let drips = 0
  on((response) => {
    const drip = () => {
      if (response.destroyed) return
      drips++
      response.write(' ', () => setImmediate(drip))
    }
    response.writeHead(200)
    drip()
  })
  const asking = ask({ timeoutMs: 16_000 }).catch((error: unknown) => error)
  await until(() => drips > 50)
  clock.advance(16_000)
  expect(String(await asking)).toContain('no reply in 16000 ms')
})

test.each([
  [400, 'refused'],
  [401, 'refused'],
  [403, 'refused'],
  [404, 'not_found'],
  [451, 'refused'],
])('%d is %s, and not asked for again', async (status, fault) => {
  const { ask, on, outcome, asked, upstream } = await start()
  on((response) => response.writeHead(status).end('{"error":"no"}'))
  for (let each = 0; each < 12; each++) {
    const result = await outcome(ask())
    expect(result).toMatchObject({ fault, status })
  }
  expect(asked).toHaveLength(12)
  expect(upstream.counters()).toMatchObject({ state: 'ok', failures: 0, retries: 0 })
})

test.each<[number, string | undefined, number | undefined]>([
  [429, '2', 2_000],
  [429, '0', 1_000],
  [425, undefined, 125],
  [425, '3', 3_125],
  [503, '1', 1_125],
  [503, undefined, 125],
  [429, undefined, undefined],
  [429, 'soon', undefined],
  [429, '-1', undefined],
  [429, '1e9', undefined],
  [429, '9'.repeat(300), undefined],
  [429, '3600', undefined],
  [425, '60', undefined],
  [503, 'Mon, 05 Jan 2099 12:00:00 GMT', undefined],
  [503, 'soon', undefined],
  [418, '1', undefined],
])('%d with Retry-After %s is repeated after %s ms', async (status, retryAfter, waitMs) => {
  const { ask, on, until, asked, clock, upstream } = await start()
  let answered = 0
  on((response) => {
    if (answered++ > 0) return response.end(FINE)
    return response.writeHead(status, retryAfter === undefined ? {} : { 'retry-after': retryAfter }).end('{}')
  })
  const asking = ask().catch((error: unknown) => error)
  if (waitMs === undefined) {
    expect(await asking).toMatchObject({ status })
    expect(asked).toHaveLength(1)
    return
  }
  await until(() => upstream.counters().lastError !== undefined)
  for (let turn = 0; turn < 5; turn++) await nextTurn()
  clock.advance(waitMs - 1)
  for (let turn = 0; turn < 20; turn++) await nextTurn()
  expect(asked).toHaveLength(1)
  clock.advance(1)
  expect(await asking).toEqual({ fine: true })
})
