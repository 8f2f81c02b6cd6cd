import { afterAll, beforeAll, expect, test } from 'vitest'
import { createKeptLog } from '../../src/testing/kept-log.ts'
import { createRpc } from '../../src/testing/rpc-client.ts'
import { startWorld, type World } from '../../src/testing/world.ts'

const log = createKeptLog()
let world: World
beforeAll(async () => {
  world = await startWorld({}, log)
})
afterAll(() => world[Symbol.asyncDispose]())

const PER_BATCH = 19
/** Twice the limit: a new minute may begin on the way. */
const MAX_BATCHES = 64

test.each([
  ['/mcp', { method: 'ping' }, '127.9.3.1'],
  ['/a2a', { method: 'GetTask', params: { id: 'nobody' } }, '127.9.3.2'],
])('%s counts every message of a batch, and says when to come again', async (path, message, address) => {
  const rpc = createRpc(world, path, address)
  const body = Array.from({ length: PER_BATCH }, (_, id) => ({ jsonrpc: '2.0', id, ...message }))
  let reply = await rpc(body)
  for (let n = 1; n < MAX_BATCHES && !reply.text.includes('rate_limited'); n++) reply = await rpc(body)
  const replies: { id: number; error?: { code: number } }[] = JSON.parse(reply.text)
  expect(replies.map(({ id }) => id)).toEqual(body.map(({ id }) => id))
  const refused = replies.filter(({ error }) => error?.code === -32_029)
  expect(refused.length).toBeGreaterThan(0)
  expect(refused.length).toBeLessThan(PER_BATCH)
  expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0)
  const isNewMinute = Number(reply.headers['retry-after']) < 5
  const next = await rpc(body[0])
  if (!isNewMinute) expect([next.status, Number(next.headers['retry-after']) > 0]).toEqual([429, true])
  const other = await createRpc(world, path, '127.9.3.3')(body[0])
  expect(other.status).toBe(200)
})

test('what callers send wrong is no failure of ours', async () => {
  const token = '\ud800'
  const tool = { method: 'tools/call', params: { name: 'get_price', arguments: { token } } }
  const called = await createRpc(world, '/mcp')({ jsonrpc: '2.0', id: 1, ...tool })
  expect(called.text).toContain('token must be valid Unicode text')
  const ask = (data: object) => ({ message: { messageId: 'm', parts: [{ data }] } })
  const send = (data: object) =>
    createRpc(world, '/a2a')({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: ask(data) })
  expect((await send({ skill: 'market.price', params: { token } })).text).toContain('TASK_STATE_REJECTED')
  expect((await send({ skill: { toString: 1 } })).text).toContain('-32602')
  expect(log.lines.filter(({ level }) => level === 'error')).toEqual([])
})
