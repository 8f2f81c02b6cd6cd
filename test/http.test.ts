import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { useSharedWorld } from '../src/testing/shared/shared-world.ts'
import type { World } from '../src/testing/world.ts'

let world: World
useSharedWorld('with many free calls', (it) => {
  world = it
})

/** Sends bytes as they are and returns all that comes back: what no HTTP client would send. */
function raw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(world.url)
    const socket = connect(Number(port), hostname, () => socket.write(text))
    let reply = ''
    socket.setTimeout(8_000, () => socket.destroy(new Error('no answer')))
    socket.on('data', (chunk) => {
      reply += chunk
    })
    socket.on('close', () => resolve(reply))
    socket.on('error', reject)
  })
}

describe('every reply', () => {
  test.each(['/', '/health', '/price/BTC', '/price/BTC?demo=0', '/nope', '/price/%00', '/price'])(
    'of %s says who answered and how',
    async (path) => {
      const { headers } = await world.get(path)
      expect(headers.get('x-request-id')).toMatch(/^[\w-]+$/)
      expect(headers.get('x-tollbook-mode')).toBe('sandbox')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(headers.get('access-control-expose-headers')).toContain('X-Demo-Calls-Remaining')
    },
  )

  test('carries a harmless request id of the caller, and no other', async () => {
    expect((await world.get('/', { 'x-request-id': 'my-id.1' })).headers.get('x-request-id')).toBe('my-id.1')
    expect(
      (await world.get('/', { 'x-request-id': '"><script>' })).headers.get('x-request-id'),
    ).not.toContain('script')
  })
})

describe('addresses', () => {
  test.each([
    '/nope',
    '//price/BTC',
    '/PRICE/BTC',
    '/price/BTC/',
    '/price//BTC',
    '/%70rice/BTC',
    '/price%2fBTC',
    '/price/BTC;x=1',
    '/price/BTC%20',
    '/price/BTC%2f',
    '/price\\BTC',
    '/price/../price/BTC%5c',
    '/price/％',
    '/btc-price/',
    '/btc-price.',
    '/./btc-price',
  ])('%s reaches no paid data', async (path) => {
    const reply = await raw(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    expect(reply).toMatch(/^HTTP\/1.1 (400|404|422) /)
    expect(reply).not.toContain('price_usd')
  })

  test('an unknown one is a problem that says what to do', async () => {
    const reply = await world.get('/nope')
    expect(reply.headers.get('content-type')).toContain('application/problem+json')
    expect(await reply.json()).toMatchObject({
      status: 404,
      code: 'not_found',
      hint: expect.any(String),
      request_id: reply.headers.get('x-request-id'),
    })
  })

  test('a percent sign that encodes nothing is no address', async () => {
    expect(await raw('GET /price/%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1.1 404/,
    )
  })

  test('an absolute target counts by its path', async () => {
    expect(
      await raw('GET http://other.example/status HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'),
    ).toMatch(/^HTTP\/1.1 200/)
    expect(
      await raw('GET http://other.example/btc-price?demo=0 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'),
    ).toMatch(/^HTTP\/1.1 402/)
  })

  test('one that is too long is refused', async () => {
    expect((await world.get(`/price/BTC?x=${'a'.repeat(2_100)}`)).status).toBe(414)
  })
})

describe('methods', () => {
  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('%s is refused with what is allowed', async (method) => {
    const reply = await world.send(method, '/price/BTC')
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
  })

  test('OPTIONS answers a preflight for payment headers', async () => {
    const reply = await world.send('OPTIONS', '/price/BTC', {
      headers: {
        origin: 'https://a.example',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'payment-signature',
      },
    })
    expect(reply.status).toBe(200)
    expect(reply.headers.get('access-control-allow-methods')).toBe('GET, HEAD, OPTIONS')
    for (const name of ['PAYMENT-SIGNATURE', 'X-PAYMENT', 'Access-Control-Expose-Headers'])
      expect(reply.headers.get('access-control-allow-headers')).toContain(name)
  })

  test('HEAD of a document has the length and no body; of a paid path it is 402', async () => {
    const full = await world.get('/pricing')
    const head = await world.send('HEAD', '/pricing')
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([
      200,
      full.headers.get('content-length'),
      '',
    ])
    const paid = await world.send('HEAD', '/price/BTC')
    expect([paid.status, await paid.text()]).toEqual([402, ''])
    expect(paid.headers.get('payment-required')).toBeTruthy()
  })
})

describe('bad input', () => {
  test.each([
    ['/btc-resolve?history=-1', ['query', 'history'], 'greater_than_equal'],
    ['/btc-resolve?history=3601', ['query', 'history'], 'less_than_equal'],
    ['/btc-resolve?history=1e3', ['query', 'history'], 'value_error'],
    ['/btc-resolve?history=0x10', ['query', 'history'], 'value_error'],
    ['/btc-resolve?history=', ['query', 'history'], 'value_error'],
    ['/btc-resolve?history=1.5', ['query', 'history'], 'value_error'],
    ['/btc-resolve?history=NaN', ['query', 'history'], 'value_error'],
    ['/btc-resolve?history=1&history=2', ['query', 'history'], 'multiple_values'],
    ['/price/B%20TC', ['path', 'token'], 'string_pattern_mismatch'],
    ['/price/0x1234567890123456789012345678901234567890aa', ['path', 'token'], 'string_pattern_mismatch'],
    ['/price/BTC?demo=2', ['query', 'demo'], 'enum'],
    ['/price/BTC?x402_version=3', ['query', 'x402_version'], 'enum'],
    ['/price/BTC?max_age=-1', ['query', 'max_age'], 'greater_than_equal'],
    ['/price/BTC?max_age=soon', ['query', 'max_age'], 'value_error'],
  ])('%s is 422 and names the place', async (path, loc, type) => {
    const reply = await world.get(path)
    expect(reply.status).toBe(422)
    const { detail } = (await reply.json()) as { detail: unknown[] }
    expect(detail).toContainEqual({ loc, msg: expect.any(String), type })
  })

  test('unknown params do no harm', async () => {
    expect((await world.get('/btc-resolve?history=0&utm=x&__proto__=y')).status).toBe(200)
  })

  test.each([
    ['garbage', 'NONSENSE\r\n\r\n', 400],
    ['a header without end', `GET / HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400],
    ['no host', 'GET / HTTP/1.1\r\n\r\n', 400],
  ])('%s gets an answer and no crash', async (_, text, status) => {
    expect(await raw(text)).toMatch(new RegExp(`^HTTP/1.1 ${status}`))
    expect((await world.get('/status')).status).toBe(200)
  })
})

describe('documents', () => {
  const paths = [
    '/',
    '/pricing',
    '/paid',
    '/agents',
    '/openapi.json',
    '/.well-known/x402',
    '/.well-known/agent.json',
    '/llms.txt',
    '/robots.txt',
    '/sitemap.xml',
    '/quickstart',
    '/methodology',
    '/methodology/tokens',
  ]

  test.each(paths)('%s has a strong ETag and answers 304', async (path) => {
    const first = await world.get(path)
    const etag = first.headers.get('etag') ?? ''
    expect([first.status, etag]).toEqual([200, expect.stringMatching(/^"[\w-]+"$/)])
    for (const match of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const again = await world.get(path, { 'if-none-match': match })
      expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag])
    }
    expect((await world.get(path, { 'if-none-match': '"other"' })).status).toBe(200)
  })

  test('Markdown or a page by Accept, JSON by default', async () => {
    const type = async (accept: string) =>
      (await world.get('/quickstart', { accept })).headers.get('content-type')
    expect(await type('text/markdown')).toContain('text/markdown')
    expect(await type('text/markdown;q=0.5, application/json')).toContain('application/json')
    expect(await type('*/*')).toContain('application/json')
    expect(await type('text/html,application/xhtml+xml,;q=,,')).toContain('text/html')
    expect(await type('image/png,;q=,,')).toContain('application/json')
  })
})
