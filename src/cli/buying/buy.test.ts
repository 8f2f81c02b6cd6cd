import { execFile } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import { promisify } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { listen } from '../../http/listen.ts'
import { useSharedWorld } from '../../testing/shared/shared-world.ts'
import type { World } from '../../testing/world.ts'
import { openSandboxWallet } from './sandbox-wallet.ts'

const main = new URL('../main.ts', import.meta.url).pathname
const REASON = 'no venue answers'
const down = {
  '/health': { checks: [{ name: 'prices', status: 'down', detail: 'fresh prices of 0 of 4 coins' }] },
  paid: { code: 'upstream_unavailable', detail: REASON },
  stale: { code: 'stale_data', detail: 'too old; nothing was charged' },
  undecided: { code: 'settlement_pending', detail: 'not decided' },
}

let world: World
let troubled: Server
let troubledUrl: string
useSharedWorld('usual', async (it) => {
  world = it
  troubled = createServer(async ({ url = '', headers }, response) => {
    const stale = url.includes('max_age') ? down.stale : undefined
    const paid = url.startsWith('/price/ETH') ? down.undecided : (stale ?? down.paid)
    const body = headers['payment-signature'] ? paid : url === '/health' && down['/health']
    if (body) return response.writeHead(503, { 'retry-after': '5' }).end(JSON.stringify(body))
    const { status, headers: given, text } = await forward(url)
    const terms = given.get('payment-required') ?? ''
    const offered = url.startsWith('/price/XRP') ? 1 : url.startsWith('/price/SOL') ? 0 : Infinity
    const told = url.startsWith('/price/') ? withOffers(terms, offered) : terms
    response.writeHead(status, { 'payment-required': told }).end(text)
  })
  troubledUrl = `http://127.0.0.1:${await listen(troubled, '127.0.0.1', 0)}`
})
afterAll(() => {
  troubled.close()
})

async function forward(path: string) {
  const reply = await world.get(path)
  return { status: reply.status, headers: reply.headers, text: await reply.text() }
}

/** The first of them: Base comes before Solana. */
function withOffers(header: string, count: number): string {
  const terms = JSON.parse(Buffer.from(header, 'base64').toString())
  return Buffer.from(JSON.stringify({ ...terms, accepts: terms.accepts.slice(0, count) })).toString('base64')
}

/** What a service says that runs no Base, and one that cannot hand out wallets now. */
async function openWallets(status: number, body: object) {
  const server = createServer((_, response) => response.writeHead(status).end(JSON.stringify(body)))
  const url = `http://127.0.0.1:${await listen(server, '127.0.0.1', 0)}`
  try {
    return await openSandboxWallet(url, undefined).catch(({ message }: Error) => message.replace(url, 'it'))
  } finally {
    server.close()
  }
}

const buy = (path: string, url = world.url, more: string[] = []) =>
  promisify(execFile)(process.execPath, [main, 'buy', path, '--url', url, ...more]).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  )

describe('tollbook buy', () => {
  test('says before it signs what is down, soon gives up, and tells that nothing was charged', async () => {
    const { code, stdout, stderr } = await buy('/price/BTC', troubledUrl)
    const lines = stdout.split('\n').map((line: string) => line.split(' ')[0])
    expect(lines.indexOf('down')).toBeLessThan(lines.indexOf('payment'))
    expect(stdout).toContain('prices: fresh prices of 0 of 4 coins; what needs it cannot be bought now')
    expect([code, stderr]).toEqual([
      1,
      `tollbook: 503: ${REASON}. Nothing was charged: the signed payment expires unused. Try again later; ${troubledUrl}/health says what is down.\n`,
    ])
  })

  test('does not say again what the reply says itself', async () => {
    expect((await buy('/price/BTC?max_age=0', troubledUrl)).stderr).toMatch(
      /^tollbook: 503: too old; nothing was charged\. The signed payment expires unused\. Try again later; /,
    )
  })

  test('a payment that was never decided is named, and brings its reply later without another charge', async () => {
    const { code, stderr } = await buy('/price/ETH', troubledUrl)
    const [, payment = ''] = /--url \S+ --payment (\S+)\n/.exec(stderr) ?? []
    expect([code, stderr.startsWith('tollbook: 503: not decided. Whether it was charged')]).toEqual([1, true])
    const later = await buy('/price/ETH', world.url, ['--payment', payment])
    expect([later.code, later.stdout.includes('price_usd'), later.stdout.includes('wallet')]).toEqual([
      0,
      true,
      false,
    ])
    const other = await buy('/price/SOL', world.url, ['--payment', payment])
    expect(other).toMatchObject({ code: 1, stderr: expect.stringMatching(/^tollbook: 409: .+; sign a new/) })
    expect(other.stderr).not.toContain('not known')
  })

  test('says which networks a service sells on that does not sell on the wanted one', async () => {
    expect(await buy('/price/XRP', troubledUrl, ['--network', 'solana'])).toMatchObject({
      code: 1,
      stderr: `tollbook: ${troubledUrl} does not sell on solana now; it offers base: try --network base\n`,
    })
  })

  test('says so where nobody can pay at all', async () => {
    expect(await buy('/price/SOL', troubledUrl)).toMatchObject({
      code: 1,
      stderr: `tollbook: ${troubledUrl} cannot be paid now, on any network: ${troubledUrl}/health says why\n`,
    })
  })

  test('pays on Base where nobody cares and it runs, and says why there are no wallets', async () => {
    const wallets = await (await world.get('/sandbox/wallets')).json()
    const { evm, solana } = wallets as Record<'evm' | 'solana', { address: string }>
    expect(await openWallets(200, { evm, solana })).toMatchObject({ network: 'base', address: evm.address })
    expect(await openWallets(200, { solana })).toMatchObject({ network: 'solana', address: solana.address })
    expect(await openWallets(503, { detail: 'no chain runs' })).toBe(
      'it handed out no wallets: 503: no chain runs',
    )
  })

  test('a payment that is none brings the words of the service', async () => {
    const { stderr } = await buy('/price/BTC', world.url, ['--payment', 'e30='])
    expect(stderr).toMatch(/^tollbook: 402: the payment was refused: malformed_payment: .+x402Version/)
  })

  test.each([
    ['/price/DOGE', 1, /^tollbook: 404: [^{}]*DOGE[^{}]*BTC, ETH, SOL, XRP[^{}]*\n$/],
    ['/price/BTC?max_age=x', 1, /^tollbook: 422: max_age: [^{}]+\n$/],
    [
      'http://127.0.0.1:9/price/BTC?a=1',
      2,
      /^tollbook: the address goes into --url: tollbook buy '\/price\/BTC\?a=1' --url http:\/\/127\.0\.0\.1:9\n/,
    ],
    ['price/BTC', 2, /^tollbook: a path starts with a slash: tollbook buy \/price\/BTC\n/],
  ])('tells in words what is wrong with %s', async (path, code, message) => {
    expect(await buy(path)).toMatchObject({ code, stderr: expect.stringMatching(message) })
  })

  test('takes a path that asks for no free call itself', async () => {
    expect(await buy('/price/ETH?demo=0')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('price_usd'),
    })
  })

  test('a payment that was cut off is refused at once', async () => {
    const { code, stderr } = await buy('/price/BTC', world.url, ['--payment', 'eyJ4Ij…'])
    expect([code, stderr]).toEqual([2, expect.stringContaining('--payment is the whole base64 text')])
  })

  test('says that a call was free', async () => {
    const { code, stdout } = await buy('/health')
    expect([code, /^free +no payment was asked for/m.test(stdout)]).toEqual([0, true])
  })
})
