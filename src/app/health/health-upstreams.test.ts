import { expect, test } from 'vitest'
import type { UpstreamCounters } from '../../upstreams/upstream.ts'
import { upstreamCheck, upstreamChecks } from './health-upstreams.ts'

const NOW_MS = Date.UTC(2026, 0, 5, 12)
const counters: UpstreamCounters = {
  provider: 'gamma',
  state: 'ok',
  requests: 12,
  failures: 0,
  retries: 0,
  malformed: 0,
  limited: 0,
  lastAskedMs: NOW_MS - 1_500,
  lastOkMs: NOW_MS - 1_500,
  lastError: undefined,
}
const check = (changed: Partial<UpstreamCounters>) => upstreamCheck({ ...counters, ...changed }, NOW_MS)

test('a provider that answers is well, with the age of its last answer', () => {
  expect(check({})).toEqual({
    name: 'gamma',
    needed: false,
    state: 'ok',
    latencyMs: null,
    ageMs: 1_500,
    detail: '12 requests',
  })
})

test('how long its last answer took is told, and why it fails without its counters', () => {
  expect(check({ latencyMs: 12 })).toMatchObject({ latencyMs: 12 })
  expect(check({ lastError: 'down: ECONNRESET' })).toMatchObject({ cause: 'down: ECONNRESET' })
})

test('one that nobody asked yet is not in trouble, and not called well', () => {
  expect(check({ requests: 0, lastOkMs: undefined })).toMatchObject({
    state: 'idle',
    ageMs: null,
    detail: 'not asked yet',
  })
})

test.each([
  ['ok', 'down: ECONNRESET', 'degraded'],
  ['refused', 'refused: GET /events: answered 429', 'degraded'],
  ['open', 'down: GET /events: answered 503', 'down'],
  ['open', undefined, 'down'],
] as const)('%s after %s is %s, and none of it stops the service', (state, lastError, shown) => {
  expect(check({ state, lastError })).toMatchObject({ state: shown, needed: false })
})

test.each(['ok', 'open'] as const)('who is %s and was not asked for a minute is not called down', (state) => {
  const failed = { state, lastError: 'down: ECONNRESET' }
  expect(check({ ...failed, lastAskedMs: NOW_MS - 60_000 }).state).not.toBe('ok')
  expect(check({ ...failed, lastAskedMs: NOW_MS - 60_001 })).toMatchObject({
    state: 'idle',
    detail: 'not asked for 60 s, 12 requests, last error: down: ECONNRESET',
  })
  expect(check({ ...failed, state: 'refused', lastAskedMs: NOW_MS - 90_000 }).state).toBe('degraded')
})

test('one request is one', () => {
  expect(check({ requests: 1, failures: 1 }).detail).toBe('1 request, 1 failure')
})

test('what went wrong is counted and said', () => {
  const found = check({ failures: 3, retries: 2, malformed: 1, limited: 4, lastError: 'down: ECONNRESET' })
  expect(found.detail).toBe(
    '12 requests, 3 failures, 2 retries, 1 malformed reply, 4 over its limits or ours, last error: down: ECONNRESET',
  )
})

test('a provider with several addresses is one check, as bad as the worst of them', () => {
  const at = (changed: Partial<UpstreamCounters>): UpstreamCounters => ({ ...counters, ...changed })
  const list = at({ provider: 'ecosystem' })
  const files = at({ provider: 'ecosystem', state: 'open', requests: 3, lastOkMs: NOW_MS - 9_000 })
  const expected = {
    name: 'ecosystem',
    state: 'down',
    ageMs: 9_000,
    detail: '15 requests at 2 of 2 addresses',
  }
  expect(upstreamChecks([list, at({}), files], NOW_MS)).toMatchObject([expected, { name: 'gamma' }])
  expect(upstreamChecks([files, list], NOW_MS)).toMatchObject([{ state: 'down', ageMs: 9_000 }])
  const unasked = at({ provider: 'ecosystem', requests: 0, lastOkMs: undefined })
  expect(upstreamChecks([unasked, list], NOW_MS)).toMatchObject([
    { state: 'ok', detail: '12 requests at 1 of 2 addresses' },
  ])
  const failed = at({ provider: 'ecosystem', requests: 1, failures: 1, lastError: 'down: no reply' })
  expect(upstreamChecks([list, failed], NOW_MS)).toMatchObject([
    { detail: '13 requests at 2 of 2 addresses, 1 failure, last error: down: no reply' },
  ])
  expect(upstreamChecks([unasked, unasked], NOW_MS)).toMatchObject([{ detail: 'not asked yet' }])
  expect(upstreamChecks([], NOW_MS)).toEqual([])
})
