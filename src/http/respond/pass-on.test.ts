import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { createClientAddress } from '../../access/client-key.ts'
import type { Operator } from '../../access/operator-check.ts'
import { ServiceError } from '../../core/service-error.ts'
import { createKeptLog } from '../../testing/kept-log.ts'
import type { Reply } from '../reply.ts'
import type { Incoming } from '../request/incoming.ts'
import { createPassOn } from './pass-on.ts'

const open: Server[] = []
afterEach(() => {
  for (const server of open.splice(0)) {
    server.close()
    server.closeAllConnections()
  }
})

type Seen = {
  method: string | undefined
  url: string | undefined
  headers: IncomingMessage['headers']
  body: string
}

async function serve(answer: (response: ServerResponse, raw: IncomingMessage) => void, isReady = true) {
  const seen: Seen[] = []
  const server = createServer(async (raw, response) => {
    let body = ''
    for await (const chunk of raw) body += chunk
    if (raw.url === '/readyz') return void response.writeHead(isReady ? 200 : 503).end()
    seen.push({ method: raw.method, url: raw.url, headers: raw.headers, body })
    answer(response, raw)
  })
  open.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { seen, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const standing = () => serve((response) => response.writeHead(503).end('{}'), false)
const done = (text = '{"did":"it"}') =>
  serve((response) =>
    response
      .writeHead(200, {
        'Content-Type': 'application/json',
        'Cache-Control': 'private, no-store',
        'X-Own': '1',
      })
      .end(text),
  )

/** Sends a real request to a process that passes it on. */
async function call(engines: readonly string[], init: RequestInit = {}, path = '/admin/command?x=1') {
  const log = createKeptLog()
  const identify = async ({ headers }: IncomingMessage) => {
    if (headers.authorization === 'Bearer wrong') throw new ServiceError('unauthorized', 'not the operator')
    return { client: '', key: {} } as Operator
  }
  const passOn = createPassOn({ engines, identify, log, addressOf: createClientAddress(['127.0.0.1']) })
  const front = await new Promise<{ reply?: Reply; error?: unknown }>((resolve, reject) => {
    const server = createServer((raw, response) => {
      const incoming = { raw, id: 'call-1', method: raw.method ?? 'GET', target: {} } as Incoming
      Promise.resolve(passOn(incoming)).then(
        (reply) => {
          response.end()
          resolve({ reply })
        },
        (error) => {
          response.end()
          resolve({ error })
        },
      )
    })
    open.push(server)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      fetch(`http://127.0.0.1:${port}${path}`, init).catch(reject)
    })
  })
  return { ...front, log }
}

const FROM = { 'x-forwarded-for': '203.0.113.9' }

describe("an operator's call in a process without the engine", () => {
  test('goes to the engine that leads, with its key and body, and comes back as it was answered', async () => {
    const [first, second] = [await standing(), await done()]
    const { reply } = await call([first.url, second.url], {
      method: 'POST',
      headers: {
        ...FROM,
        authorization: 'Bearer tbk_key',
        'content-type': 'application/json',
        cookie: 'a=b',
      },
      body: '{"command":"pause_bot"}',
    })
    expect(reply).toMatchObject({ status: 200, body: '{"did":"it"}', bytes: 12 })
    expect(reply?.headers).toEqual(['Content-Type', 'application/json', 'Cache-Control', 'private, no-store'])
    expect(second.seen).toMatchObject([
      {
        method: 'POST',
        url: '/admin/command?x=1',
        body: '{"command":"pause_bot"}',
        headers: {
          authorization: 'Bearer tbk_key',
          'x-request-id': 'call-1',
          'x-forwarded-for': '203.0.113.9',
        },
      },
    ])
    expect(second.seen[0]?.headers).not.toHaveProperty('cookie')
  })

  test('brings a reply back in whatever number of pieces it comes', async () => {
    const engine = await serve((response) => {
      response.writeHead(200, { 'Content-Type': 'text/csv' })
      for (let piece = 0; piece < 6_000; piece++) response.write('x')
      response.end()
    })
    expect((await call([engine.url])).reply).toMatchObject({ status: 200, bytes: 6_000 })
  })

  test('goes on to the next engine where one cannot be reached', async () => {
    const { reply } = await call(['http://127.0.0.1:9', (await done()).url])
    expect(reply?.status).toBe(200)
  })

  test('is 503 and says that nothing was done where no engine leads', async () => {
    const { error } = await call([(await standing()).url, 'http://127.0.0.1:9'])
    expect(error).toMatchObject({
      code: 'upstream_unavailable',
      message: expect.stringContaining('nothing was done'),
    })
  })

  test('is never sent to a second engine once the first has it and breaks off', async () => {
    const first = await serve((response) => response.destroy())
    const second = await done()
    const { error, log } = await call([`${first.url}/a-key`, second.url], { method: 'POST', body: '{}' })
    expect(error).toMatchObject({ message: expect.stringContaining('before you repeat it') })
    expect([first.seen.length, second.seen.length]).toEqual([1, 0])
    expect(log.lines).toMatchObject([{ engine: `${first.url}/(hidden)` }])
  })

  test('is not held up by an engine that hangs', async () => {
    const hung = createServer(() => {})
    open.push(hung)
    await new Promise<void>((resolve) => hung.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(hung.address() as AddressInfo).port}`
    const startedMs = performance.now()
    const { reply } = await call([url, (await done()).url])
    expect([reply?.status, performance.now() - startedMs < 5_000]).toEqual([200, true])
  })

  test('is not passed on twice', async () => {
    const engine = await done()
    const { error } = await call([engine.url], { headers: { 'x-tollbook-passed-on': '1' } })
    expect(error).toMatchObject({ message: expect.stringContaining('TOLLBOOK_ENGINE_URLS') })
    expect(engine.seen).toEqual([])
  })

  test('is refused with what to set where no engine is named', async () => {
    const { error } = await call([])
    expect(error).toMatchObject({
      code: 'upstream_unavailable',
      message: expect.stringContaining('set TOLLBOOK_ENGINE_URLS'),
    })
  })

  test('of somebody else reaches no engine', async () => {
    const engine = await done()
    const { error } = await call([engine.url], { headers: { authorization: 'Bearer wrong' } })
    expect(error).toMatchObject({ code: 'unauthorized' })
    expect(engine.seen).toEqual([])
  })

  test('with a body that is too large reaches no engine', async () => {
    const engine = await done()
    const { error } = await call([engine.url], { method: 'POST', body: 'x'.repeat(70_000) })
    expect(error).toMatchObject({ code: 'body_too_large' })
    expect(engine.seen).toEqual([])
  })
})
