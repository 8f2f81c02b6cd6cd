import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { type Access, free, operator, paid, wallet } from '../src/catalog/access.ts'
import { defineEndpoint } from '../src/catalog/endpoints/endpoint.ts'
import { usd } from '../src/core/money.ts'
import { ServiceError } from '../src/core/service-error.ts'
import { createManualClock } from '../src/core/time/manual-clock.ts'
import type { UsageEvent } from '../src/ledger/ports/usage-log.ts'
import { groupOf } from '../src/testing/catalog/group-of.ts'
import { OPERATOR_KEY, type Served, serveGroup, WALLET_TOKEN } from '../src/testing/http/serve-groups.ts'

const NOON_MS = Date.parse('2026-01-05T12:00:00.000Z')

const counted = (name: string, access: Access) =>
  defineEndpoint({
    id: `test.${name}`,
    method: 'GET',
    path: `/${name}`,
    access,
    summary: 'Counted',
    description: 'Made to see which calls are counted, and how.',
    params: z.object({ n: z.int().max(5).default(1) }),
    sample: {},
    response: z.object({ n: z.int() }),
    example: { n: 1 },
    handle: (_: unknown, { n }) => {
      if (n === 5) throw new ServiceError('upstream_unavailable', 'five is out')
      return { n }
    },
  })

const calls: UsageEvent[] = []
let served: Served
beforeAll(async () => {
  const group = groupOf(
    counted('open', free),
    counted('sold', paid(usd('0.01'))),
    counted('mine', wallet),
    counted('ours', operator('admin')),
  )
  served = await serveGroup(group as never, {} as never, {
    clock: createManualClock(NOON_MS),
    demoCalls: 2,
    onCall: (event) => calls.push(event),
  })
})
afterAll(() => served.close())

test('every call of a product is counted once, by who bears its cost and how it ended, and timed', async () => {
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  await served.ask('GET', '/open')
  await served.ask('GET', '/open?n=6')
  await served.ask('GET', '/open?n=5')
  await served.ask('GET', '/sold')
  await served.ask('GET', '/sold?n=5')
  await served.ask('GET', '/sold?n=6')
  await served.ask('GET', '/mine', bearer(WALLET_TOKEN))
  await served.ask('POST', '/open')
  expect(calls.map(({ productId, via, status }) => [productId, via, status])).toEqual([
    ['test.open', 'free', 200],
    ['test.open', 'free', 422],
    ['test.open', 'free', 503],
    ['test.sold', 'demo', 200],
    ['test.sold', 'free', 503],
    ['test.sold', 'free', 422],
    ['test.mine', 'free', 200],
    ['test.open', 'free', 405],
  ])
  expect(calls.every(({ atMs, ms }) => atMs === NOON_MS && ms !== undefined && ms >= 0)).toBe(true)
  calls.length = 0
  // Told the price only, of the operator, of nothing, of a document.
  await served.ask('GET', '/sold?demo=0')
  await served.ask('HEAD', '/sold')
  await served.ask('GET', '/ours', bearer(OPERATOR_KEY))
  await served.ask('GET', '/nowhere')
  await served.ask('GET', '/pricing')
  expect(calls).toEqual([])
})
