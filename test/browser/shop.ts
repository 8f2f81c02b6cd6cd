import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { PaidProduct } from '../../src/catalog/catalog.ts'
import type { Requirement } from '../../src/catalog/payment-terms.ts'
import type { Site } from '../../src/catalog/site.ts'
import { isBrowser } from '../../src/pages/is-browser.ts'
import { renderPaywall } from '../../src/pages/paywall.ts'
import { testSite } from '../../src/testing/discovery/sample-site.ts'

export const PAY_TO = '0x00000000000000000000000000000000000000A1'
export const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
export const TRANSACTION = `0x${'5e'.repeat(32)}`
export const PATH = '/harbours/dover?unit=ft'

/** What happens to the next request that carries a payment. */
export type Act =
  | { kind: 'deliver' }
  | { kind: 'fail'; status: number; json: unknown; retryAfterS?: number }
  /** The connection breaks before an answer, or in the middle of a good one. */
  | { kind: 'drop' }
  | { kind: 'cut' }

export type Shop = {
  url: string
  envelope: Envelope
  /** Payment headers in the order they came. */
  presented: string[]
  acts: Act[]
  close(): Promise<void>
}
type Envelope = ReturnType<typeof envelopeOf>

export const REPLY = { name: 'dover', level: 4.5, note: '<b>é</b>' }

/** A scripted seller: serves the page, keeps the payments it gets and answers each with the next act of the script. */
export async function openShop(changes: Partial<Site> = {}): Promise<Shop> {
  const presented: string[] = []
  const acts: Act[] = []
  let serve: (request: IncomingMessage, response: ServerResponse) => void = () => {}
  const server = createServer((request, response) => serve(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const site = testSite({ baseUrl: url, ...changes })
  const product = site.catalog.paid[0] as PaidProduct
  const envelope = envelopeOf(`${url}${PATH}`, product)
  const header = Buffer.from(JSON.stringify(envelope)).toString('base64')
  serve = (request, response) => {
    // A browser quietly repeats a request whose kept connection broke; here each break shall be seen.
    response.setHeader('Connection', 'close')
    if (!request.url?.startsWith('/harbours/')) return void response.writeHead(404).end()
    const payment = request.headers['payment-signature']
    if (typeof payment === 'string') {
      presented.push(payment)
      return play(acts.shift() ?? { kind: 'deliver' }, response)
    }
    if (!isBrowser(request.headers.accept, request.headers['user-agent']))
      return sendJson(response, 402, envelope)
    const page = renderPaywall({ header }, { site, product, params: {}, isPriceAsked: false })
    const headers = { 'Content-Type': 'text/html', 'Content-Security-Policy': page.contentSecurityPolicy }
    response.writeHead(402, { ...headers, 'Cache-Control': 'no-store' }).end(page.html)
  }
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()))
  return { url, envelope, presented, acts, close }
}

function play(act: Act, response: ServerResponse): void {
  if (act.kind === 'drop') response.destroy()
  else if (act.kind === 'fail') fail(act, response)
  else deliver(act, response)
}

function fail({ status, json, retryAfterS }: Act & { kind: 'fail' }, response: ServerResponse): void {
  if (retryAfterS !== undefined) response.setHeader('Retry-After', retryAfterS)
  sendJson(response, status, json)
}

function deliver({ kind }: Act & { kind: 'deliver' | 'cut' }, response: ServerResponse): void {
  const settlement = { success: true, transaction: TRANSACTION, network: 'eip155:8453', payer: '0x' }
  response.setHeader('PAYMENT-RESPONSE', Buffer.from(JSON.stringify(settlement)).toString('base64'))
  if (kind === 'deliver') sendJson(response, 200, REPLY)
  else response.writeHead(200, { 'Content-Length': '1000' }).write('{"name":', () => response.destroy())
}

function sendJson(response: ServerResponse, status: number, json: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(json))
}

/** With signs beyond Latin-1 and with what would close a script, since descriptions are text like any other. */
export function envelopeOf(url: string, product: PaidProduct) {
  const evm: Requirement = {
    scheme: 'exact',
    network: 'eip155:8453',
    amount: '12500',
    asset: USDC,
    payTo: PAY_TO,
    maxTimeoutSeconds: 300,
    extra: { name: 'USD Coin', version: '2' },
  }
  const svm = { ...evm, network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', extra: { feePayer: 'Fee' } }
  return {
    x402Version: 2,
    error: 'payment_required',
    resource: { url, description: 'Wasserstände ☕ </script><script>window.broken = 1</script>' },
    accepts: [svm, evm],
    extensions: { bazaar: { info: { output: { type: 'json', example: product.example } } } },
  }
}
