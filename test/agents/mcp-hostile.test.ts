import { describe, expect, test } from 'vitest'
import { createClient } from '../../src/testing/client.ts'
import { createRpc } from '../../src/testing/rpc-client.ts'
import { useSharedWorld } from '../../src/testing/shared/shared-world.ts'
import type { World } from '../../src/testing/world.ts'

let world: World
useSharedWorld('usual', (it) => {
  world = it
})

const callOf = (id: unknown, token: unknown = 'BTC') => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'get_price', arguments: { token } },
})
const ping = (id: unknown) => ({ jsonrpc: '2.0', id, method: 'ping' })

describe('the demo budget', () => {
  const isSold = (reply: { result: { isError?: boolean } }) => reply.result.isError !== true

  test('is one for HTTP, single messages, batches and sessions of every name', async () => {
    const address = '127.9.0.1'
    const rpc = createRpc(world, '/mcp', address)
    const http = createClient(world, address)
    const one = JSON.parse((await rpc(callOf(1))).text)
    expect(isSold(one)).toBe(true)
    expect((await http('/price/BTC')).headers['x-demo-calls-remaining']).toBe('3')
    const batch = JSON.parse((await rpc(Array.from({ length: 20 }, (_, id) => callOf(id)))).text)
    expect(batch.filter(isSold)).toHaveLength(3)
    const others = await Promise.all(
      ['a', 'b', 'c'].map((session) =>
        rpc(callOf(session), { 'mcp-session-id': session, 'x-request-id': session }),
      ),
    )
    expect(others.filter(({ text }) => isSold(JSON.parse(text)))).toHaveLength(0)
    expect((await http('/price/ETH')).status).toBe(402)
  })

  test('is not used by a call that fails, nor by one that only asks for the price', async () => {
    const address = '127.9.0.2'
    const rpc = createRpc(world, '/mcp', address)
    await rpc(callOf(1, 'NOSUCHCOIN'))
    await rpc(callOf(2, {}))
    const asked = JSON.parse((await rpc(callOf(3), { 'x-demo': 'off' })).text)
    expect(asked.result).toMatchObject({ isError: true, structuredContent: { error: 'payment_required' } })
    const told = { ...callOf(4), params: { name: 'get_price', arguments: { token: 'BTC', demo: '0' } } }
    expect(JSON.parse((await rpc(told)).text).result.structuredContent.error).toBe('payment_required')
    expect((await createClient(world, address)('/price/BTC')).headers['x-demo-calls-remaining']).toBe('4')
  })
})

describe('limits', () => {
  test('a batch of 20 is answered, one of 21 is refused whole', async () => {
    const rpc = createRpc(world, '/mcp')
    const of = (count: number) => rpc(Array.from({ length: count }, (_, id) => ping(id)))
    const twenty = await of(20)
    expect(JSON.parse(twenty.text).map(({ id }: { id: number }) => id)).toEqual([...Array(20).keys()])
    const more = await of(21)
    expect([more.status, JSON.parse(more.text).error.code]).toEqual([400, -32600])
  })

  test('a body of 256 KiB is read, one of 257 KiB is refused', async () => {
    const rpc = createRpc(world, '/mcp')
    const sized = (bytes: number) => {
      const empty = JSON.stringify({ ...ping(1), pad: '' }).length
      return JSON.stringify({ ...ping(1), pad: 'x'.repeat(bytes - empty) })
    }
    expect((await rpc(sized(256 * 1024))).status).not.toBe(413)
    expect((await rpc(sized(257 * 1024))).status).toBe(413)
  })
})

describe('hostile JSON is answered', () => {
  const HUGE_ID = 'i'.repeat(100_000)
  test.each<[string, unknown, number, RegExp | undefined]>([
    ['no JSON', '{"jsonrpc":', 400, /-32700/],
    ['nothing', ' ', 400, /-32700/],
    ['deep lists', '['.repeat(100_000) + ']'.repeat(100_000), 400, /-32700/],
    ['deep objects', `${'{"a":'.repeat(30_000)}1${'}'.repeat(30_000)}`, 400, /-32700/],
    ['deep arguments', callOf(1, JSON.parse(`${'['.repeat(25)}${']'.repeat(25)}`)), 200, /must be text/],
    ['a number', '7', 400, /error/],
    ['null', 'null', 400, /error/],
    ['an empty batch', '[]', 400, /-32600/],
    ['a batch of odd things', [7, null, 'x', [], {}], 200, /error/],
    ['a long id', ping('i'.repeat(200)), 200, undefined],
    ['a huge id', ping(HUGE_ID), 400, /at most 200 characters/],
    ['a huge id in a batch', [ping(1), ping(HUGE_ID)], 400, /at most 200 characters/],
    ['an object as id', ping({}), 400, /error/],
    ['a fraction as id', ping(1.5), 400, /-32600/],
    ['duplicate ids', [ping(1), ping(1)], 400, /same id/],
    ['no method', { jsonrpc: '2.0', id: 1 }, 400, /error/],
    ['an unknown method', { jsonrpc: '2.0', id: 1, method: '__proto__' }, 200, /-32601/],
    ['a method of another type', { jsonrpc: '2.0', id: 1, method: {} }, 400, /error/],
    ['params of another type', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: [1] }, 400, /error/],
    [
      'arguments of another type',
      { ...callOf(1), params: { name: 'get_price', arguments: 'BTC' } },
      200,
      /-32602|do not fit/,
    ],
    ['a name of another type', { ...callOf(1), params: { name: {}, arguments: {} } }, 200, /-32602/],
    [
      'a tool called __proto__',
      { ...callOf(1), params: { name: '__proto__', arguments: {} } },
      200,
      /-32602/,
    ],
    [
      'a tool called constructor',
      { ...callOf(1), params: { name: 'constructor', arguments: {} } },
      200,
      /-32602/,
    ],
    [
      '__proto__ in arguments',
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_price","arguments":{"__proto__":{"token":"BTC"}}}}',
      200,
      /is required/,
    ],
    [
      '__proto__ in a payment',
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_price","arguments":{"token":"BTC"},"_meta":{"x402/payment":{"__proto__":{"x402Version":2}}}}}',
      200,
      /malformed_payment/,
    ],
    [
      'a cancelled request beside it',
      [ping(1), { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }],
      200,
      /"id":1/,
    ],
    [
      'a stream that would never end',
      { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params: {} },
      200,
      /error/,
    ],
  ])('%s', async (_, body, status, text) => {
    const reply = await createRpc(world, '/mcp')(body)
    expect([reply.status, reply.text]).toEqual([
      status,
      text ? expect.stringMatching(text) : expect.any(String),
    ])
    expect(({} as Record<string, unknown>).token).toBeUndefined()
  })

  test('a listener of the revision without a handshake is told that there is nothing to listen to', async () => {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const body = {
      jsonrpc: '2.0',
      id: 1,
      method: 'subscriptions/listen',
      params: { _meta: meta, notifications: {} },
    }
    const reply = await createRpc(world, '/mcp')(body, {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'subscriptions/listen',
    })
    expect(reply.text).toContain('limit reached')
  })

  test('notifications are taken without a reply', async () => {
    const reply = await createRpc(world, '/mcp')({ jsonrpc: '2.0', method: 'notifications/initialized' })
    expect([reply.status, reply.text]).toEqual([202, ''])
  })
})

describe('other sites', () => {
  test.each([
    ['a foreign host', { host: 'evil.example' }],
    ['a foreign host that looks like ours', { host: '127.0.0.1.evil.example:4020' }],
    ['a foreign origin', { origin: 'https://evil.example' }],
    ['an origin without a name', { origin: 'null' }],
    ['an origin that looks like ours', { origin: 'http://localhost.evil.example' }],
  ])('%s is refused before anything is read', async (_, headers) => {
    const rpc = createRpc(world, '/mcp')
    const reply = await rpc(callOf(1), headers as never)
    expect([reply.status, JSON.parse(reply.text).code]).toEqual([403, 'foreign_origin'])
  })

  test.each([
    ['a page of this machine', { origin: 'http://localhost:6274' }],
    ['a loopback name', { host: 'localhost:1' }],
  ])('%s may call in the sandbox', async (_, headers) => {
    expect((await createRpc(world, '/mcp')(ping(1), headers as never)).status).toBe(200)
  })
})

describe('GET', () => {
  const get = (accept?: string) =>
    createClient(world)('/mcp', accept === undefined ? {} : { headers: { accept } })

  test('describes the server to people, as JSON or text', async () => {
    const json = await get()
    expect(JSON.parse(json.text)).toMatchObject({ transport: 'streamable-http', url: `${world.url}/mcp` })
    expect(JSON.parse(json.text).tools).toHaveLength(10)
    expect((await get('*/*')).headers['content-type']).toContain('application/json')
    const text = await get('text/html')
    expect([text.status, text.text]).toEqual([200, expect.stringContaining('get_price')])
  })

  test('has no stream of events, and DELETE no session', async () => {
    expect(await get('text/event-stream')).toMatchObject({
      status: 405,
      headers: { allow: expect.stringContaining('POST') },
    })
    expect((await createClient(world)('/mcp', { method: 'DELETE' })).status).toBe(405)
  })
})
