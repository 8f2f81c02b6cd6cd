import { expect, test } from 'vitest'
import { createManualClock } from '../core/time/manual-clock.ts'
import { serveGroup } from '../testing/http/serve-groups.ts'
import { accountGroup } from './group.ts'
import type { AccountServices } from './services.ts'

const unused = () => Promise.reject(new Error('not a part of this test'))
const services: AccountServices = {
  clock: createManualClock(0),
  holders: undefined,
  revoke: unused,
  jwks: () => [],
  purchases: { purchasesOf: unused, findById: unused },
  baseUrl: 'https://tollbook.example',
  newNonce: () => 'n'.repeat(32),
  sourceOf: (source) => source,
}
const checks = { wallet: unused, payer: unused }

test('without a project token sign-in is not offered, and says so', async () => {
  const served = await serveGroup(accountGroup, services, { checks })
  const wallet = `0x${'b2'.repeat(20)}`
  const body = JSON.stringify({ wallet, nonce: 'n', signature: '0x' })
  const replies = [
    await served.ask('GET', `/auth/challenge?wallet=${wallet}`),
    await served.ask('POST', '/auth/verify', { 'content-type': 'application/json' }, body),
    await served.ask('GET', `/tier/${wallet}`),
    await served.ask('GET', '/deep/info'),
  ]
  for (const { status, body: text } of replies)
    expect([status, JSON.parse(text).detail]).toEqual([404, expect.stringContaining('no project token')])
  expect((await served.ask('GET', '/.well-known/jwks.json')).body).toBe('{"keys":[]}')
  await served.close()
})
