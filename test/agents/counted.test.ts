import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RequestFacts, silentLog } from '../../src/core/log.ts'
import { createClient } from '../../src/testing/client.ts'
import { createRpc } from '../../src/testing/rpc-client.ts'
import { startWorld, type World } from '../../src/testing/world.ts'

const KEY = 'operator-of-the-counts-0123456789'
const logged: RequestFacts[] = []
let world: World
beforeAll(async () => {
  const log = { ...silentLog, request: (facts: RequestFacts) => void logged.push(facts) }
  world = await startWorld({ TOLLBOOK_DEMO_CALLS_PER_DAY: '1', TOLLBOOK_OPERATOR_KEY: KEY }, log)
})
afterAll(() => world[Symbol.asyncDispose]())

const callOf = (id: number, token: string) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'get_price', arguments: { token } },
})

test('the request log and the usage figures know the product behind a tool, and the client behind both', async () => {
  const address = '127.9.1.1'
  const rpc = createRpc(world, '/mcp', address)
  logged.length = 0
  await createClient(world, address)('/price/NOSUCHCOIN')
  await rpc(callOf(1, 'BTC'))
  await rpc(callOf(2, 'BTC'))
  await rpc(callOf(3, 'no such coin'))
  const told = logged.map(({ path, product, via, status }) => [path, product, via, status])
  expect(told).toEqual([
    ['/price/NOSUCHCOIN', 'market.price', undefined, 404],
    ['/mcp', 'market.price', 'demo', 200],
    ['/mcp', 'mcp.call', 'free', 200],
    ['/mcp', 'market.price', 'unpaid', 402],
    ['/mcp', 'mcp.call', 'free', 200],
    ['/mcp', 'market.price', undefined, 422],
    ['/mcp', 'mcp.call', 'free', 200],
  ])
  expect(new Set(logged.map(({ client }) => client)).size).toBe(1)
  const reply = await world.get('/admin/usage', { authorization: `Bearer ${KEY}` })
  const { endpoints } = (await reply.json()) as { endpoints: { endpoint: string; requests: number }[] }
  // One over HTTP, and two of the three tool calls: being told the price is no call.
  expect(endpoints.find(({ endpoint }) => endpoint === 'market.price')?.requests).toBe(3)
})
