import { expect, test } from 'vitest'
import { TollbookError, USDC } from '../../../clients/ts/tollbook.ts'
import { getPaid } from './get-paid.ts'

const offer = {
  ...{ scheme: 'exact', network: USDC.base.network, asset: USDC.base.asset },
  ...{ amount: '1000', payTo: `0x${'ab'.repeat(20)}`, maxTimeoutSeconds: 300, extra: {} },
}
const resource = { url: 'http://x.test/x' }
const TERMS = btoa(JSON.stringify({ x402Version: 2, resource, accepts: [offer] }))
const challenge = () => new Response('{}', { status: 402, headers: { 'payment-required': TERMS } })

/** A service that loses its first `lost` answers to a payment. */
function call(lost: number, more: { payment?: string } = {}) {
  const payments: string[] = []
  let signed = 0
  const send: typeof fetch = async (_, init) => {
    const payment = new Headers(init?.headers).get('payment-signature')
    if (payment === null) return challenge()
    payments.push(payment)
    if (payments.length <= lost) throw new TypeError('the connection was lost')
    return Response.json({ price: 1 })
  }
  const wallet = { createPaymentPayload: async () => ({ nonce: ++signed }) }
  // Less than the shortest pause, so that nothing is waited for.
  const patience = { patienceMs: 1, againMs: 1 }
  const bought = getPaid({
    baseUrl: 'http://x.test',
    path: '/x',
    wallet,
    fetch: send,
    ...patience,
    ...more,
  })
  return { bought, payments }
}

test('a payment without an answer is presented once more, and signed once', async () => {
  const { bought, payments } = call(1)
  expect((await bought).data).toEqual({ price: 1 })
  expect(payments).toEqual([payments[0], payments[0]])
})

test('after that it gives up, and names the payment to come back with', async () => {
  const { bought, payments } = call(2)
  const error = await bought.catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(TollbookError)
  expect([payments.length, (error as TollbookError).payment]).toEqual([2, payments[0]])
})

test('an earlier payment is presented as it is', async () => {
  const { bought, payments } = call(0, { payment: 'signed-before' })
  expect([(await bought).data, payments]).toEqual([{ price: 1 }, ['signed-before']])
})
