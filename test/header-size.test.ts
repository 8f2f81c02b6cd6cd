import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createCatalog, isPaid } from '../src/catalog/catalog.ts'
import { fillPath } from '../src/catalog/path.ts'
import type { Site } from '../src/catalog/site.ts'
import { choosePort } from '../src/http/listen.ts'
import { productGroups } from '../src/products/groups.ts'
import { awayFromOpening, untilMarketsAreFollowed } from '../src/testing/away-from-opening.ts'
import { createBuyer } from '../src/testing/buyer.ts'
import { startWorld, type World } from '../src/testing/world.ts'

/** nginx reads 4,096 bytes of headers unless it is told otherwise; the rest is for what other proxies add. */
const LIMIT_BYTES = 4_000
/** 60 characters: longer ones are rare. */
const BASE_URL = `https://${'s'.repeat(40)}.example.com`
const REQUEST_ID = 'i'.repeat(64)
const BROWSER = { Accept: 'text/html', 'User-Agent': 'Mozilla/5.0' }

const addresses = createCatalog<Site>(productGroups).routes.flatMap(({ endpoint, path }) =>
  isPaid(endpoint) ? fillPath(path, endpoint.sample) : [],
)

let world: World
let port: number
beforeAll(async () => {
  port = await choosePort('127.0.0.1', 0)
  world = await startWorld({
    PORT: String(port),
    TOLLBOOK_BASE_URL: BASE_URL,
    TOLLBOOK_DEMO_CALLS_PER_DAY: '1000',
  })
  await untilMarketsAreFollowed(`http://127.0.0.1:${port}`)
})
afterAll(() => world[Symbol.asyncDispose]())

/** Status line and headers, to the last byte before the body. */
function headOf(method: string, path: string, headers: Record<string, string> = {}): Promise<string> {
  const lines = Object.entries({ Host: 'x', 'X-Request-Id': REQUEST_ID, ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`),
    )
    socket.on('error', reject)
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      const end = text.indexOf('\r\n\r\n')
      if (end < 0) return
      socket.destroy()
      resolve(text.slice(0, end + 4))
    })
  })
}

const statusOf = (head: string) => Number(head.split(' ')[1])
const headerOf = (head: string, name: string) => new RegExp(`^${name}: (.*)\r$`, 'im').exec(head)?.[1]

describe.each(addresses)('%s', (path) => {
  test.each([
    ['402', 'GET', '?demo=0', {}, 402],
    ['402 of v1', 'GET', '?demo=0&x402_version=1', {}, 402],
    ['402 of a HEAD', 'HEAD', '', {}, 402],
    ['402 of a bad payment', 'GET', '', { 'PAYMENT-SIGNATURE': 'e30=' }, 402],
    ['402 for a browser', 'GET', '?demo=0', BROWSER, 402],
    ['free call', 'GET', '', {}, 200],
  ] as const)('the headers of its %s fit through proxies', async (_, method, query, headers, status) => {
    await awayFromOpening()
    const head = await headOf(method, `${path}${query}`, headers)
    expect(statusOf(head)).toBe(status)
    expect(head.length).toBeLessThan(LIMIT_BYTES)
    expect(headerOf(head, 'PAYMENT-REQUIRED')).toBeTruthy()
    if (status === 402) expect(headerOf(head, 'X-Payment-Required')).toBe(headerOf(head, 'PAYMENT-REQUIRED'))
  })
})

describe('the longest request', () => {
  const coins = `${'btc,'.repeat(15)}eth `
  const longest = `/x402/trading-signals?coins=${encodeURIComponent(coins)}&format=keyed`

  test.each([{}, BROWSER])('that is legal still fits', async (headers) => {
    const head = await headOf('GET', `${longest}&demo=0&x402_version=2&max_age=10.123456789012345`, headers)
    expect([statusOf(head), head.length < LIMIT_BYTES]).toEqual([402, true])
    const { resource } = JSON.parse(
      Buffer.from(headerOf(head, 'PAYMENT-REQUIRED') ?? '', 'base64').toString(),
    )
    expect(resource.url.startsWith(`${BASE_URL}/x402/trading-signals?coins=btc%2Cbtc`)).toBe(true)
  })

  test('that is not legal is refused, and costs nothing', async () => {
    const long = 'x'.repeat(1_900)
    expect(statusOf(await headOf('GET', `/signals?${long}=1`))).toBe(422)
    expect(statusOf(await headOf('GET', `/signals?coins=${long}`))).toBe(422)
    expect(statusOf(await headOf('GET', `/price/BTC?max_age=1${'0'.repeat(1_900)}`))).toBe(422)
    expect(statusOf(await headOf('GET', `/signals?coins=${'%20'.repeat(600)}btc`))).toBe(422)
    expect(statusOf(await headOf('GET', `/signals?${long}${long}=1`))).toBe(414)
  })
})

describe('a redirect', () => {
  const start = '/price?'

  test.each(["'", 'x', '(', '"', '%27'])('takes a query full of %s along as it came', async (part) => {
    const query = part.repeat((2_048 - start.length) / part.length)
    const head = await headOf('GET', `${start}${query}`)
    expect([statusOf(head), head.length < LIMIT_BYTES]).toEqual([307, true])
    expect(headerOf(head, 'Location')?.split('?')[1]).toBe(query)
  })

  test('of a query that is too long or has control characters is refused', async () => {
    expect(statusOf(await headOf('GET', `${start}${"'".repeat(2_048)}`))).toBe(414)
    for (const control of ['\u0000', '\u0001', '\t', '\r', '\u007f'])
      expect(statusOf(await headOf('GET', `${start}a${control}b`))).toBe(400)
  })
})

describe.each(['base', 'solana'] as const)('a paid reply on %s', (network) => {
  test('fits through proxies too: it was paid for', async () => {
    const buyer = await createBuyer(world, network)
    for (const path of ['/price/BTC', '/x402/trading-signals?coins=btc%2Ceth%2Csol%2Cxrp&format=keyed']) {
      expect((await buyer.fetch(`${world.url}${path}&demo=0`.replace('BTC&', 'BTC?'))).status).toBe(200)
      const payment = buyer.sent.at(-1) ?? ''
      const head = await headOf('GET', path, { 'PAYMENT-SIGNATURE': payment })
      expect([statusOf(head), headerOf(head, 'PAYMENT-RESPONSE') !== undefined]).toEqual([200, true])
      expect(head.length).toBeLessThan(LIMIT_BYTES)
      // What nginx takes of one header in a request.
      expect(payment.length).toBeLessThan(8_000)
      console.log(`${path} on ${network}: ${head.length} bytes of headers, ${payment.length} of payment`)
    }
  })
})
