import { describe, expect, test } from 'vitest'
import { createClient } from '../../src/testing/client.ts'
import { createRpc } from '../../src/testing/rpc-client.ts'
import { useSharedWorld } from '../../src/testing/shared/shared-world.ts'
import type { World } from '../../src/testing/world.ts'

let world: World
useSharedWorld('usual', (it) => {
  world = it
})

const message = (extra: object = {}) => ({
  messageId: 'm',
  role: 'ROLE_USER',
  parts: [{ data: { skill: 'market.price', params: { token: 'BTC' } } }],
  ...extra,
})
const send = (id: unknown, extra: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'SendMessage',
  params: { message: message(extra) },
})

test('the demo budget is one for HTTP, MCP and both bindings, alone and in batches', async () => {
  const address = '127.9.2.1'
  const rpc = createRpc(world, '/a2a', address)
  const isSold = ({ result }: { result: { task: { artifacts?: unknown } } }) =>
    result.task.artifacts !== undefined
  const batch = JSON.parse(
    (await rpc(Array.from({ length: 20 }, (_, id) => send(id, { contextId: `c${id}` })))).text,
  )
  expect(batch.filter(isSold)).toHaveLength(5)
  expect((await createRpc(world, '/a2a/message:send', address)({ message: message() })).text).toContain(
    'payment-required',
  )
  const tool = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'get_price', arguments: { token: 'BTC' } },
  }
  expect((await createRpc(world, '/mcp', address)(tool)).text).toContain('payment_required')
  expect((await createClient(world, address)('/price/BTC')).status).toBe(402)
})

describe('what is hostile is answered', () => {
  test.each<[string, unknown, number, RegExp]>([
    ['no JSON', '{', 400, /-32700/],
    ['deep lists', '['.repeat(100_000) + ']'.repeat(100_000), 400, /-32700/],
    ['a batch of 21', Array.from({ length: 21 }, (_, id) => send(id)), 400, /at most 20/],
    ['duplicate ids', [send(1), send(1)], 400, /same id/],
    ['an object as id', send({}), 200, /-32600/],
    ['a long id', { ...send('i'.repeat(200)), method: 'GetTask' }, 200, /-32602/],
    ['a huge id', { ...send('i'.repeat(201)), method: 'GetTask' }, 400, /at most 200 characters/],
    ['odd messages', [7, null, 'x', [], {}], 200, /-32600/],
    ['an unknown method', { ...send(1), method: '__proto__' }, 200, /-32601.*SendMessage, GetTask/],
    [
      'the method of an older version',
      { ...send(1), method: 'message/send' },
      200,
      /-32601.*version 0\.3.*version 1\.0 only.*agent-card\.json/,
    ],
    ['a call back', { ...send(1), method: 'CreateTaskPushNotificationConfig' }, 200, /-32003/],
    ['a stream', { ...send(1), method: 'SendStreamingMessage' }, 200, /-32004/],
    ['no params', { jsonrpc: '2.0', id: 1, method: 'SendMessage' }, 200, /-32602/],
    ['parts of another type', send(1, { parts: 'x' }), 200, /-32602/],
    ['too many parts', send(1, { parts: Array(21).fill({ text: 'x' }) }), 200, /-32602/],
    ['metadata of another type', send(1, { metadata: [] }), 200, /-32602/],
    ['a skill called __proto__', send(1, { parts: [{ data: { skill: '__proto__' } }] }), 200, /ROLE_AGENT/],
    [
      'a skill of another type',
      send(1, { parts: [{ data: { skill: {} } }] }),
      200,
      /-32602.*skill must be text/,
    ],
    ['a skill that is no text', send(1, { parts: [{ data: { skill: { toString: 1 } } }] }), 200, /-32602/],
    [
      'params of another type',
      send(1, { parts: [{ data: { skill: 'market.price', params: 7 } }] }),
      200,
      /REJECTED/,
    ],
    [
      'half a character',
      send(1, { parts: [{ data: { skill: 'market.price', params: { token: '\ud800' } } }] }),
      200,
      /REJECTED.*token must be valid Unicode text/,
    ],
    [
      'an address with an encoded slash',
      send(1, { parts: [{ text: 'GET /price/%2e%2e%2fsignals' }] }),
      200,
      /REJECTED|ROLE_AGENT/,
    ],
    [
      'a payment of another type',
      send(1, { metadata: { 'x402.payment.payload': 7 } }),
      200,
      /malformed_payment/,
    ],
  ])('%s', async (_, body, status, text) => {
    const reply = await createRpc(world, '/a2a')(body)
    expect([reply.status, reply.text]).toEqual([status, expect.stringMatching(text)])
  })

  test('in the HTTP binding too', async () => {
    const rpc = createRpc(world, '/a2a/message:send')
    expect(await rpc('{')).toMatchObject({ status: 400, text: expect.stringContaining('INVALID_ARGUMENT') })
    expect((await rpc([{ message: message() }])).status).toBe(400)
    expect((await rpc({ message: message({ pad: 'x'.repeat(257 * 1024) }) })).status).toBe(413)
    const missing = await createClient(world)('/a2a/tasks/nobody')
    expect([missing.status, missing.text]).toEqual([404, expect.stringContaining('TASK_NOT_FOUND')])
  })
})
