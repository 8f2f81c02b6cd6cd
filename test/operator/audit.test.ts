import { connect } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { makeKey } from '../../src/access/change-keys.ts'
import { operator } from '../../src/catalog/access.ts'
import { defineEndpoint } from '../../src/catalog/endpoints/endpoint.ts'
import type { Group } from '../../src/catalog/group.ts'
import { ServiceError } from '../../src/core/service-error.ts'
import type { OperatorBook } from '../../src/ledger/ports/operator-book.ts'
import { OPERATOR_KEY, type Served, serveGroup } from '../../src/testing/http/serve-groups.ts'
import {
  createMemoryOperatorBook,
  createMemoryOperatorRows,
} from '../../src/testing/ledger/operator/memory-operator-book.ts'

type Services = { done: string[]; rows: () => Promise<unknown>; seen: unknown[] }

const declared = {
  access: operator('trade'),
  summary: 'Does something',
  description: 'Made to leave a row in the audit.',
  params: z.object({
    side: z.enum(['UP', 'DOWN']),
    api_key: z.string().optional(),
    fail: z.string().optional(),
  }),
  sample: { side: 'UP' },
  response: z.object({ ok: z.boolean() }),
  example: { ok: true },
} as const
const FAILURES: Record<string, Error> = {
  conflict: new ServiceError('conflict', 'already done'),
  bug: new Error('a bug'),
}
async function handle(
  { done, rows, seen }: Services,
  { side, fail }: { side: string; fail?: string | undefined },
) {
  seen.push(await rows())
  done.push(side)
  const failure = FAILURES[fail ?? '']
  if (failure) throw failure
  return { ok: true }
}
const group: Group<Services> = {
  tag: 'audited',
  about: 'What the operator does.',
  endpoints: [
    defineEndpoint({ ...declared, id: 'test.look', method: 'GET', path: '/look', handle }),
    defineEndpoint({ ...declared, id: 'test.act', method: 'POST', path: '/act', handle }),
    defineEndpoint({ ...declared, id: 'test.send', method: 'POST', path: '/send', paramsIn: 'body', handle }),
  ],
}

let served: Served
let book: OperatorBook
let services: Services
const bearer = (key: string) => ({
  authorization: `Bearer ${key}`,
  'x-request-id': 'r1',
  'x-forwarded-for': '203.0.113.9',
})
const audit = () => book.audit({ limit: 100, offset: 0 })

async function serve(faults: Partial<OperatorBook> = {}) {
  const whole = createMemoryOperatorBook(createMemoryOperatorRows())
  book = { ...whole, ...faults }
  services = { done: [], seen: [], rows: audit }
  served = await serveGroup(group, services, { book })
}
beforeEach(() => serve())
afterEach(() => served.close())

test('a row says who called what, from where, with which params and how it ended', async () => {
  const { id, key } = await makeKey(book, { label: 'bot', scopes: ['trade'] }, 0)
  const reply = await served.ask('GET', '/look?side=UP&api_key=hush', bearer(key.reveal()))
  expect(reply.status).toBe(200)
  expect(await audit()).toEqual([
    {
      seq: 1,
      atMs: expect.any(Number),
      keyId: id,
      client: '203.0.113.9',
      method: 'GET',
      endpoint: 'test.look',
      params: '{"side":"UP","api_key":"[secret]"}',
      status: 200,
      requestId: 'r1',
    },
  ])
})

test('the row of a POST is there before anything is done, and is finished after', async () => {
  await served.ask('POST', '/act?side=UP', bearer(OPERATOR_KEY))
  expect(services.seen).toMatchObject([[{ endpoint: 'test.act', keyId: 'environment', status: undefined }]])
  expect(await audit()).toMatchObject([{ seq: 1, params: '{"side":"UP"}', status: 200 }])
})

test('a GET leaves its row once it is over', async () => {
  await served.ask('GET', '/look?side=UP', bearer(OPERATOR_KEY))
  expect(services.seen).toEqual([[]])
  await served.ask('HEAD', '/look?side=UP', bearer(OPERATOR_KEY))
  expect(await audit()).toMatchObject([
    { method: 'HEAD', status: 200 },
    { method: 'GET', status: 200 },
  ])
})

test.each([
  ['conflict', 409],
  ['bug', 500],
])('a call that ends with a %s is in the audit with %i', async (fail, status) => {
  const reply = await served.ask('POST', `/act?side=UP&fail=${fail}`, bearer(OPERATOR_KEY))
  expect(reply.status).toBe(status)
  expect(await audit()).toMatchObject([{ status }])
})

test('what is refused leaves a row without params, with the key where one was good', async () => {
  const { id, key } = await makeKey(book, { label: 'desk', scopes: ['admin'] }, 0)
  const ask = async (method: string, target: string, headers: Record<string, string>) => {
    const { status } = await served.ask(method, target, headers)
    const [row] = await audit()
    return [status, row?.status, row?.keyId, row?.params]
  }
  expect(await ask('POST', '/act?side=UP', {})).toEqual([401, 401, undefined, undefined])
  expect(await ask('POST', '/act?side=UP', bearer('wrong'))).toEqual([401, 401, undefined, undefined])
  expect(await ask('POST', '/act?side=UP', bearer(key.reveal()))).toEqual([403, 403, id, undefined])
  expect(await ask('POST', '/act?side=LEFT', bearer(OPERATOR_KEY))).toEqual([
    422,
    422,
    'environment',
    undefined,
  ])
  expect(await ask('DELETE', '/act', bearer(OPERATOR_KEY))).toEqual([405, 405, 'environment', '{}'])
  expect(await ask('DELETE', '/act', {})).toEqual([401, 401, undefined, undefined])
  expect(await ask('OPTIONS', '/act', {})).toEqual([401, 401, undefined, undefined])
  expect(services.done).toEqual([])
  expect(await audit()).toHaveLength(7)
})

test('where the row cannot be written nothing is done', async () => {
  await served.close()
  await serve({ beginAudit: () => Promise.reject(new Error('the disk is full')) })
  const reply = await served.ask('POST', '/act?side=UP', bearer(OPERATOR_KEY))
  expect([reply.status, reply.headers['retry-after']]).toEqual([503, '5'])
  expect(JSON.parse(reply.body)).toMatchObject({
    code: 'store_unavailable',
    detail: expect.stringContaining('nothing was done'),
  })
  expect(services.done).toEqual([])
  expect(await audit()).toMatchObject([{ keyId: 'environment', status: 503 }])
  expect((await served.ask('GET', '/look?side=UP', bearer(OPERATOR_KEY))).status).toBe(200)
})

test('what was done is answered, also where the end cannot be written', async () => {
  await served.close()
  await serve({ endAudit: () => Promise.reject(new Error('the disk is full')) })
  expect((await served.ask('POST', '/act?side=UP', bearer(OPERATOR_KEY))).status).toBe(200)
  expect(services.done).toEqual(['UP'])
  expect(await audit()).toMatchObject([{ status: undefined }])
})

test('the body of a call that is refused is not waited for', async () => {
  const { port } = new URL(served.url)
  const socket = connect(Number(port), '127.0.0.1')
  const head = ['POST /send HTTP/1.1', 'Host: x', 'Content-Type: application/json', 'Content-Length: 60000']
  socket.write(`${head.join('\r\n')}\r\n\r\n{`)
  const [first] = await new Promise<Buffer[]>((done, fail) => {
    socket.once('data', (chunk) => done([chunk]))
    socket.once('error', fail)
  })
  socket.destroy()
  expect(String(first)).toMatch(/^HTTP\/1\.1 401 /)
  expect(await audit()).toMatchObject([{ endpoint: 'test.send', status: 401, params: undefined }])
})
