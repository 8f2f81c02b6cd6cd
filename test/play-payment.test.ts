import { describe, expect, test } from 'vitest'
import { useSharedWorld } from '../src/testing/shared/shared-world.ts'
import type { World } from '../src/testing/world.ts'

type Signed = { payment_signature: string }

describe('a payment that the service signs with play money', () => {
  let world: World
  useSharedWorld('without free calls', (it) => {
    world = it
  })

  const ask = (body: unknown) =>
    world.send('POST', '/sandbox/payment', {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    })
  const termsOf = async (path: string) => (await world.get(path)).headers.get('payment-required') ?? ''

  test('buys the request that asked for it, on the first chain that is offered', async () => {
    const reply = await ask({ payment_required: await termsOf('/price/BTC') })
    expect(reply.status).toBe(200)
    const { payment_signature } = (await reply.json()) as Signed
    const bought = await world.get('/price/BTC', { 'PAYMENT-SIGNATURE': payment_signature })
    expect([bought.status, bought.headers.has('payment-response')]).toEqual([200, true])
    const other = await world.get('/price/ETH', { 'PAYMENT-SIGNATURE': payment_signature })
    expect(other.status).toBe(409)
  })

  test('is made on Solana where only that is asked for', async () => {
    const terms = JSON.parse(Buffer.from(await termsOf('/price/BTC'), 'base64').toString())
    const accepts = terms.accepts.slice(1)
    const narrowed = Buffer.from(JSON.stringify({ ...terms, accepts })).toString('base64')
    const { payment_signature } = (await (await ask({ payment_required: narrowed })).json()) as Signed
    const bought = await world.get('/price/BTC', { 'PAYMENT-SIGNATURE': payment_signature })
    expect(bought.status).toBe(200)
    const settled = Buffer.from(bought.headers.get('payment-response') ?? '', 'base64').toString()
    expect(JSON.parse(settled).network).toMatch(/^solana:/)
  })

  test.each([
    ['no base64', { payment_required: '<>' }, 422],
    ['nothing', {}, 422],
    ['no JSON', { payment_required: 'AAAA' }, 400],
    ['no terms', { payment_required: Buffer.from('{"x402Version":2,"accepts":[]}').toString('base64') }, 400],
  ])('%s is refused', async (_name, body, status) => {
    const reply = await ask(body)
    expect([reply.status, await reply.text()]).toEqual([status, expect.not.stringContaining('internal')])
  })
})
