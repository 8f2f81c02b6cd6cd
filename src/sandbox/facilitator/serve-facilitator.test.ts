import { type FacilitatorClient, HTTPFacilitatorClient } from '@x402/core/server'
import { afterEach, describe, expect, test } from 'vitest'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { keyPayer, type Payment, requirementsOf } from '../../testing/sandbox/payers.ts'
import type { LoopbackServer } from '../loopback-server.ts'
import type { Fault } from './faults.ts'
import { serveFacilitator } from './serve-facilitator.ts'

const REQUIREMENT = requirementsOf({
  evm: '0x00000000000000000000000000000000000A11cE',
  svm: { address: '', feePayer: '' },
}).evm
const KIND = { x402Version: 2, scheme: 'exact', network: REQUIREMENT.network }

/** Takes every payment and remembers what it settled. */
function createObliging() {
  const settled: Payment[] = []
  const facilitator: FacilitatorClient = {
    verify: async (payload) => ({ isValid: true, payer: String(payload.accepted.payTo) }),
    async settle(...payment) {
      settled.push(payment)
      return { success: true, transaction: '0x01', network: payment[1].network, payer: '0x02' }
    },
    getSupported: async () => ({ kinds: [KIND], extensions: [], signers: {} }),
  }
  return { facilitator, settled }
}

const open: LoopbackServer[] = []
afterEach(async () => {
  for (const server of open.splice(0)) await server.close()
})

async function serve(options: Parameters<typeof serveFacilitator>[1] = {}) {
  const { facilitator, settled } = createObliging()
  const server = await serveFacilitator(facilitator, options)
  open.push(server)
  const client = new HTTPFacilitatorClient({ url: server.url, timeoutMs: 5_000 })
  return { url: server.url, client, settled, payment: await keyPayer().pay(REQUIREMENT) }
}

describe('a facilitator over HTTP', () => {
  test('the stock client reaches all of it, and the payment arrives whole', async () => {
    const { url, client, settled, payment } = await serve()
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect((await client.getSupported()).kinds).toEqual([KIND])
    expect(await client.verify(...payment)).toMatchObject({ isValid: true })
    expect(await client.settle(...payment)).toMatchObject({ success: true, transaction: '0x01' })
    expect(settled).toEqual([payment])
  })

  test('checks authorization when it is configured', async () => {
    const { url, client, settled, payment } = await serve({ auth: (header) => header === 'Bearer good' })
    await expect(client.settle(...payment)).rejects.toThrow(/401/)
    const headers = { authorization: 'Bearer good' }
    const createAuthHeaders = async () => ({ settle: headers, verify: headers, supported: headers })
    await new HTTPFacilitatorClient({ url, createAuthHeaders }).settle(...payment)
    expect(settled).toHaveLength(1)
  })

  test('refuses malformed payments', async () => {
    const { url, settled } = await serve()
    const post = (path: string, body: string) => fetch(`${url}${path}`, { method: 'POST', body })
    expect((await post('/settle', 'nonsense')).status).toBe(400)
    expect((await post('/settle', '{"x402Version":2}')).status).toBe(400)
    expect((await post('/elsewhere', '{}')).status).toBe(404)
    expect((await post('/settle', 'x'.repeat(300_000))).status).toBe(413)
    expect(settled).toEqual([])
  })

  test.each<[Fault['kind'], number, RegExp]>([
    ['drop_request', 0, /fetch failed/],
    ['drop_reply', 1, /fetch failed/],
    ['fail_before', 0, /500/],
    ['fail_after', 1, /500/],
    ['garbage', 1, /JSON|invalid/i],
  ])('%s: %i settled, and the caller is left without an answer', async (kind, count, message) => {
    const { client, settled, payment } = await serve({ tamper: () => ({ kind }) as Fault })
    await expect(client.settle(...payment)).rejects.toThrow(message)
    expect(settled).toHaveLength(count)
  })

  test.each<[Fault['kind'], number, boolean]>([
    ['lie_success', 0, true],
    ['lie_failure', 1, false],
  ])('%s: %i settled, and the answer is %s', async (kind, count, success) => {
    const { client, settled, payment } = await serve({ tamper: () => ({ kind }) as Fault })
    expect(await client.settle(...payment)).toMatchObject({ success, network: REQUIREMENT.network })
    expect(await client.verify(...payment)).toMatchObject({ isValid: success })
    expect(settled).toHaveLength(count)
  })

  test('says that it is busy, or that a payment is bad, and does nothing', async () => {
    const faults: Fault[] = [
      { kind: 'busy', retryAfterS: 7 },
      { kind: 'refuse', reason: 'odd' },
      { kind: 'refuse', reason: 'odd' },
    ]
    const { url, client, settled, payment } = await serve({ tamper: () => faults.shift() })
    const [paymentPayload, paymentRequirements] = payment
    const body = JSON.stringify({ x402Version: 2, paymentPayload, paymentRequirements })
    const busy = await fetch(`${url}/settle`, { method: 'POST', body })
    expect([busy.status, busy.headers.get('retry-after')]).toEqual([429, '7'])
    expect(await client.settle(...payment)).toMatchObject({ success: false, errorReason: 'odd' })
    expect(await client.verify(...payment)).toMatchObject({ isValid: false, invalidReason: 'odd' })
    expect(settled).toEqual([])
  })

  test('is as slow as a test wants, before or after the work', async () => {
    const clock = createManualClock(0)
    const faults: Fault[] = [
      { kind: 'slow_reply', ms: 60_000 },
      { kind: 'slow_work', ms: 60_000 },
    ]
    const asked: string[] = []
    const tamper = ({ path }: { path: string }) => {
      asked.push(path)
      return faults[asked.length - 1]
    }
    const { client, settled, payment } = await serve({ clock, tamper })
    const first = client.settle(...payment)
    await expect.poll(() => settled.length).toBe(1)
    const second = client.settle(...payment)
    await expect.poll(() => asked.length).toBe(2)
    expect(settled).toHaveLength(1)
    clock.advance(60_000)
    expect([(await first).success, (await second).success]).toEqual([true, true])
    expect(settled).toHaveLength(2)
  })
})
