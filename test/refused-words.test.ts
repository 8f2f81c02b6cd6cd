import { expect, test } from 'vitest'
import { createClient } from '../src/testing/client.ts'
import { createRpc } from '../src/testing/rpc-client.ts'
import { useSharedWorld } from '../src/testing/shared/shared-world.ts'
import type { World } from '../src/testing/world.ts'

let world: World
useSharedWorld('without free calls', (it) => {
  world = it
})

const bad = { x402Version: 2, accepted: 'these', payload: {} }
const WHY = /The payment cannot be read: accepted must be an entry of accepts/
const toHeader = (payment: object) => Buffer.from(JSON.stringify(payment)).toString('base64')
const ask = async (query: string, payment: object | undefined, address: string) => {
  const headers = payment && { 'payment-signature': toHeader(payment) }
  return createClient(world, address)(`/price/BTC${query}`, { ...(headers && { headers }) })
}

test('a payment that cannot be read is told which field is wrong, and the terms as ever', async () => {
  const unpaid = await ask('', undefined, '127.9.7.1')
  const refused = await ask('', bad, '127.9.7.1')
  const [asked, said] = [JSON.parse(unpaid.text), JSON.parse(refused.text)]
  expect([refused.status, said.error]).toEqual([402, 'malformed_payment'])
  expect(said.detail).toMatch(WHY)
  expect([said.accepts, said.resource]).toEqual([asked.accepts, asked.resource])
  expect(JSON.parse((await ask('', undefined, '127.9.7.1')).text).detail).toBe(asked.detail)
  const v1 = JSON.parse((await ask('?x402_version=1', bad, '127.9.7.1')).text)
  expect([v1.x402Version, v1.error, v1.detail]).toEqual([1, 'malformed_payment', undefined])
})

test('an authorization for ever is told how long one may live', async () => {
  const client = createClient(world, '127.9.7.3')
  const { headers } = await client('/price/BTC')
  const body = JSON.stringify({ payment_required: headers['payment-required'] })
  const type = { 'content-type': 'application/json' }
  const made = await client('/sandbox/payment', { method: 'POST', headers: type, body })
  const payment = JSON.parse(Buffer.from(JSON.parse(made.text).payment_signature, 'base64').toString())
  payment.payload.authorization.validBefore = '99999999999'
  const said = JSON.parse((await ask('', payment, '127.9.7.3')).text)
  expect([said.error, said.detail]).toEqual([
    'wrong_terms',
    expect.stringMatching(/^The authorization lives too long: validBefore may be at most 300 s ahead/),
  ])
})

test('agents are told the same', async () => {
  const call = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params })
  const tool = { name: 'get_price', arguments: { token: 'BTC' }, _meta: { 'x402/payment': bad } }
  const mcp = await createRpc(world, '/mcp', '127.9.7.2')(call('tools/call', tool))
  expect(JSON.parse(mcp.text).result.structuredContent.detail).toMatch(WHY)
  const message = {
    ...{ messageId: 'm', role: 'ROLE_USER', metadata: { 'x402.payment.payload': bad } },
    parts: [{ data: { skill: 'market.price', params: { token: 'BTC' } } }],
  }
  const a2a = await createRpc(world, '/a2a', '127.9.7.2')(call('SendMessage', { message }))
  expect(JSON.parse(a2a.text).result.task.status.message.parts[0].text).toMatch(WHY)
})
