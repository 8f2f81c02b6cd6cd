import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LoopbackServer, startLoopbackServer } from '../loopback-server.ts'
import { createOutages } from './outages.ts'
import { createPeers } from './peers.ts'
import { json, readOnly } from './reply.ts'
import { createRouter } from './router.ts'

/** Takes orders, as a market with accounts does. */
const orders = {
  rest: ({ method, path, headers, body }: { method: string; path: string; headers: object; body: Buffer }) =>
    path === '/order' ? json(200, { method, headers, order: JSON.parse(body.toString()) }) : undefined,
  socketAt: () => undefined,
  close() {},
}
const prices = {
  rest: readOnly((path, query) => (path === '/price' ? json(200, [...query]) : undefined)),
  socketAt: () => undefined,
  close() {},
}

let server: LoopbackServer
beforeAll(async () => {
  const outages = createOutages({ tamper: undefined, disconnect() {} })
  server = await startLoopbackServer(createRouter({ orders, prices }, createPeers(undefined), outages))
})
afterAll(() => server.close())

const ask = async (method: string, path: string, init: RequestInit = {}) =>
  fetch(`${server.url}${path}`, { method, ...init })

test('a provider gets method, headers and body, without the prefix of its name', async () => {
  const headers = { authorization: 'Bearer key' }
  const reply = await ask('POST', '/orders/order', { headers, body: '{"size":1}' })
  expect(reply.headers.get('server')).toBe('sandbox')
  expect(await reply.json()).toMatchObject({ method: 'POST', headers, order: { size: 1 } })
})

test('a body that a provider cannot read is a 500, not the end of the process', async () => {
  expect((await ask('POST', '/orders/order', { body: '{' })).status).toBe(500)
  expect((await ask('POST', '/orders/order', { body: '{}' })).status).toBe(200)
})

describe('a provider that is only read', () => {
  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('refuses %s', async (method) => {
    const reply = await ask(method, '/prices/price')
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    expect((await ask(method, '/prices/nope')).status).toBe(404)
  })

  test('answers HEAD as GET, without a body', async () => {
    const reply = await ask('HEAD', '/prices/price?coin=BTC')
    expect([reply.status, await reply.text()]).toEqual([200, ''])
    expect(await (await ask('GET', '/prices/price?coin=BTC')).json()).toEqual([['coin', 'BTC']])
  })
})

test.each(['/', '/nobody/price', '/constructor/x', '/__proto__/x', '/prices', '/prices/'])(
  '%s leads nowhere',
  async (path) => {
    expect((await ask('GET', path)).status).toBe(404)
  },
)
