import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPeerOf } from '../../src/access/client-key.ts'
import { systemClock } from '../../src/core/time/clock.ts'
import { drain, retireConnections } from '../../src/http/connection/drain.ts'
import { listen } from '../../src/http/listen.ts'
import { createHttpServer } from '../../src/http/server.ts'
import { type Buyer, createBuyer } from '../../src/testing/buyer.ts'
import { moneyOf } from '../../src/testing/chain-money.ts'
import { serveGroup } from '../../src/testing/http/serve-groups.ts'
import { createTicks, ticks } from '../../src/testing/http/ticks.ts'
import { startWorld, type World } from '../../src/testing/world.ts'
import { isNginxMissing, type RunningNginx, startNginx } from './nginx.ts'
import { quietPort } from './quiet-port.ts'

const choosePorts = async () => ({
  tls: await quietPort(),
  plain: await quietPort(),
  redirect: await quietPort(),
})
/** From the moment in which a port closes to the end of what failed by it, on a busy machine. */
const CLOSING_MS = 500
const portOf = (url: string) => Number(new URL(url).port)

describe.skipIf(isNginxMissing).each([
  ['with its default buffers', ''],
  ['with the smallest that is usual', 'proxy_buffer_size 4k;'],
])('the documented nginx %s', (_, extra) => {
  let world: World
  let nginx: RunningNginx
  let ports: Awaited<ReturnType<typeof choosePorts>>
  let url: string
  beforeAll(async () => {
    ports = await choosePorts()
    url = `http://127.0.0.1:${ports.plain}`
    const port = await quietPort()
    world = await startWorld({
      PORT: String(port),
      TOLLBOOK_BASE_URL: url,
      TOLLBOOK_TRUSTED_PROXIES: '127.0.0.1',
    })
    nginx = await startNginx({ ports, upstream: port, extra })
  })
  afterAll(async () => {
    await nginx?.stop()
    await world?.[Symbol.asyncDispose]()
    // Anything that nginx could not do, such as headers that did not fit.
    expect(nginx?.log().match(/\[(error|crit|alert|emerg)\].*/g)).toBeNull()
  })

  test('hands on every 402 whole, to programs and to browsers, on GET and HEAD', async () => {
    const browser = { accept: 'text/html', 'user-agent': 'Mozilla/5.0' }
    for (const path of ['/price/BTC', '/signals', '/x402/trading-signals', '/btc/realtime-signal'])
      for (const [method, headers] of [
        ['GET', {}],
        ['GET', browser],
        ['HEAD', {}],
      ] as const) {
        const reply = await fetch(`${url}${path}?demo=0`, { method, headers })
        expect([path, reply.status, reply.headers.get('cache-control')]).toEqual([
          path,
          402,
          'private, no-store',
        ])
        expect(reply.headers.get('x-payment-required')).toBe(reply.headers.get('payment-required'))
        const envelope = Buffer.from(reply.headers.get('payment-required') ?? '', 'base64').toString()
        expect(JSON.parse(envelope).resource.url).toBe(`${url}${path}`)
      }
  })

  test.each(['base', 'solana'] as const)('a stock client pays through it on %s, in v2 and v1', async (on) => {
    const buyer = await createBuyer({ ...world, url } as World, on)
    const before = await moneyOf(buyer)
    const reply = await buyer.fetch(`${url}/price/BTC?demo=0`)
    expect([reply.status, reply.headers.has('payment-response')]).toEqual([200, true])
    expect(await moneyOf(buyer)).toBe(before - 1_000n)
    const again = await presentAsV1(buyer, on)
    expect([again.status, again.headers.has('x-payment-response')]).toEqual([200, true])
    expect(await moneyOf(buyer)).toBe(before - 2_000n)
  })

  /** A second payment, sent as a v1 client sends it. */
  async function presentAsV1(buyer: Buyer, network: string): Promise<Response> {
    const { x402HTTPClient } = await import('@x402/fetch')
    const client = new x402HTTPClient(buyer.wallet)
    const challenge = await fetch(`${url}/price/ETH?demo=0`)
    const required = client.getPaymentRequiredResponse(
      (name) => challenge.headers.get(name),
      await challenge.json(),
    )
    const { payload } = await client.createPaymentPayload(required)
    const v1 = { x402Version: 1, scheme: 'exact', network, payload }
    const header = Buffer.from(JSON.stringify(v1)).toString('base64')
    return fetch(`${url}/price/ETH`, { headers: { 'x-payment': header } })
  }

  test('each client has its own free calls, and none can make itself more', async () => {
    const remaining = async (localAddress: string, headers: Record<string, string> = {}) => {
      const { headers: got } = await ask({ port: ports.plain, path: '/price/BTC', localAddress, headers })
      return got['x-demo-calls-remaining']
    }
    expect(await remaining('127.0.9.1')).toBe('4')
    expect(await remaining('127.0.9.1', { 'x-forwarded-for': '6.6.6.6' })).toBe('3')
    expect(await remaining('127.0.9.2')).toBe('4')
  })

  test('a document is revalidated with 304, and a large one arrives whole', async () => {
    const first = await fetch(`${url}/openapi.json`)
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"/)
    expect(Object.keys(((await first.json()) as { paths: object }).paths).length).toBeGreaterThan(20)
    expect((await fetch(`${url}/openapi.json`, { headers: { 'if-none-match': etag } })).status).toBe(304)
  })

  test('what is refused is refused by the service, with its own words', async () => {
    const body = JSON.stringify({ endpoint: 'x'.repeat(100_000) })
    const headers = { 'content-type': 'application/json' }
    const reply = await fetch(`${url}/api/verify-tx`, { method: 'POST', headers, body })
    expect([reply.status, ((await reply.json()) as { code: string }).code]).toEqual([413, 'body_too_large'])
  })

  test('over TLS it is the same, and plain HTTP is sent there', async () => {
    const servername = 'signals.example.com'
    const secure = await ask({
      port: ports.tls,
      path: '/price/BTC?demo=0',
      servername,
      ca: nginx.certificate,
    })
    expect([secure.statusCode, typeof secure.headers['payment-required']]).toEqual([402, 'string'])
    const plain = await ask({ port: ports.redirect, path: '/price/BTC?x=1', headers: { host: servername } })
    expect([plain.statusCode, plain.headers.location]).toEqual([308, `https://${servername}/price/BTC?x=1`])
  })

  test('connections to the service are kept', async () => {
    const open = { clock: systemClock, peerOf: createPeerOf([]), countCutOff: () => {} }
    const upstream = createHttpServer(open).on('request', (_, reply) => reply.end('here'))
    let connections = 0
    upstream.on('connection', () => connections++)
    const own = await choosePorts()
    const proxy = await startNginx({ ports: own, upstream: await listen(upstream, '127.0.0.1', 0), extra })
    try {
      for (let call = 0; call < 10; call++)
        expect((await ask({ port: own.plain, path: '/' })).statusCode).toBe(200)
      expect(connections).toBe(1)
    } finally {
      await proxy.stop()
      await drain(upstream)
    }
  })

  test('two apis are restarted in turn, and no request fails, a POST neither', {
    timeout: 60_000,
  }, async () => {
    const open = { clock: systemClock, peerOf: createPeerOf([]), countCutOff: () => {} }
    const serve = async (port: number) => {
      const server = createHttpServer(open)
      server.on('request', (_, reply) => setTimeout(() => reply.end('here'), 40))
      const kept = new Set<object>()
      server.on('connection', (socket) => {
        kept.add(socket)
        socket.once('close', () => kept.delete(socket))
      })
      return { server, kept, port: await listen(server, '127.0.0.1', port) }
    }
    const apis = [await serve(0), await serve(0)] as const
    const own = await choosePorts()
    const proxy = await startNginx({ ports: own, upstream: [apis[0].port, apis[1].port], extra })
    let isOver = false
    const ends = new Map<number | undefined, number>()
    const [failedAtMs, closedAtMs]: [number[], number[]] = [[], []]
    const call = async () => {
      for (let n = 0; !isOver; n++) {
        const reply = await fetch(`http://127.0.0.1:${own.plain}/`, { method: n % 2 ? 'POST' : 'GET' })
        await reply.text()
        ends.set(reply.status, (ends.get(reply.status) ?? 0) + 1)
        if (reply.status !== 200) failedAtMs.push(performance.now())
      }
    }
    const callers = Array.from({ length: 8 }, call)
    const running = [...apis]
    try {
      for (const api of apis) {
        await pause(500)
        retireConnections(api.server)
        // A request that nginx sends over a connection in the moment that we close it fails: first it has used them all.
        const before = [...api.kept]
        await expect
          .poll(() => before.filter((socket) => api.kept.has(socket)).length, { timeout: 20_000 })
          .toBe(0)
        const drained = drain(api.server)
        while (api.server.listening) await pause(1)
        closedAtMs.push(performance.now())
        await drained
        running.push(await serve(api.port))
        // For up to a second more than `fail_timeout` nginx passes over the one that it could not reach.
        await pause(4_000)
      }
    } finally {
      isOver = true
      await Promise.all(callers)
      await proxy.stop()
      await Promise.all(running.filter(({ server }) => server.listening).map(({ server }) => drain(server)))
    }
    // Where nginx could not connect it goes on to the other. Of the connections opened in the very moment in which a port
    // closes the system may reset one: docs/reverse-proxy.md has how many.
    const isOfClosing = (at: number) => closedAtMs.some((ms) => Math.abs(at - ms) < CLOSING_MS)
    expect(failedAtMs.filter((at) => !isOfClosing(at))).toEqual([])
    const lost = proxy.log().match(/\[error\](?!.*while connecting to upstream).*/g) ?? []
    expect(Math.max(failedAtMs.length, lost.length)).toBeLessThanOrEqual(closedAtMs.length)
    expect(ends.get(200)).toBeGreaterThan(200)
  })

  test('events of a stream arrive one by one', async () => {
    const desk = { ticks: createTicks() }
    const served = await serveGroup({ tag: 'ticks', about: 'Numbers.', endpoints: [ticks] }, desk)
    const own = await choosePorts()
    const proxy = await startNginx({ ports: own, upstream: portOf(served.url), extra })
    try {
      const end = new AbortController()
      const stream = await fetch(`http://127.0.0.1:${own.plain}/ticks`, { signal: end.signal })
      expect(stream.headers.get('content-type')).toBe('text/event-stream')
      const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader()
      const readUntil = async (text: string) => {
        let all = ''
        while (!all.includes(text)) all += (await reader?.read())?.value ?? expect.fail('the stream ended')
        return all
      }
      // The service sends nothing more until it is woken: what is read here was not held back.
      expect(await readUntil('"tick":2')).toContain('data: {"tick":0}')
      for (const wake of desk.ticks.waiters.splice(0)) wake()
      expect(await readUntil('"tick":3')).toContain('data: {"tick":3}')
      end.abort()
    } finally {
      await proxy.stop()
      await served.close()
    }
  })
})

type Asked = {
  port: number
  path: string
  localAddress?: string
  servername?: string
  ca?: string
  headers?: Record<string, string>
}

function ask({ servername, ...options }: Asked): Promise<IncomingMessage> {
  const request = servername === undefined ? httpRequest : httpsRequest
  return new Promise((done, fail) => {
    const call = request({ host: '127.0.0.1', agent: false, servername, ...options }, (reply) => {
      reply.resume().on('end', () => done(reply))
    })
    call.on('error', fail).end()
  })
}
