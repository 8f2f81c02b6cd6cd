import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { PaidProduct } from '../../src/catalog/catalog.ts'
import type { Requirement } from '../../src/catalog/payment-terms.ts'
import type { Site } from '../../src/catalog/site.ts'
import { wantsPage } from '../../src/http/request/wants-page.ts'
import { ASSETS } from '../../src/pages/frame/assets.ts'
import { PAGE_POLICY } from '../../src/pages/frame/shell.ts'
import { createPaywall } from '../../src/pages/paywall/paywall.ts'
import { testSite } from '../../src/testing/discovery/sample-site.ts'

export const PAY_TO = '0x00000000000000000000000000000000000000A1'
export const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
export const TRANSACTION = `0x${'5e'.repeat(32)}`
export const PATH = '/harbours/dover?unit=ft'

/** What happens to the next request that carries a payment. */
export type Act =
  | { kind: 'deliver'; json?: unknown }
  /** By the service itself, unless somebody in between answers in its place. */
  | { kind: 'fail'; status: number; json: unknown; retryAfterS?: number; isForeign?: true }
  /** The connection breaks before an answer, or in the middle of a good one. */
  | { kind: 'drop' }
  | { kind: 'cut' }

export type Shop = {
  url: string
  envelope: Envelope
  /** Payment headers in the order they came. */
  presented: string[]
  acts: Act[]
  /** What a visitor without a payment is given for nothing. */
  freeCallsLeft: number
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
  const paywall = createPaywall(site, product)
  const shop: Shop = {
    ...{ url, envelope, presented, acts },
    freeCallsLeft: 0,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
  serve = (request, response) => {
    // A browser quietly repeats a request whose kept connection broke; here each break shall be seen.
    response.setHeader('Connection', 'close')
    if (!request.url?.startsWith('/harbours/')) return serveAsset(request.url ?? '', response)
    const payment = request.headers['payment-signature']
    if (typeof payment === 'string') {
      presented.push(payment)
      return play(acts.shift() ?? { kind: 'deliver' }, response)
    }
    if (!wantsPage(request.headers)) return giveFree(shop, response)
    const { freeCallsLeft } = shop
    const visit = { params: {}, isPriceAsked: false, freeCallsLeft, freeAt: PATH, nowMs: Date.now() }
    const headers = { 'Content-Type': 'text/html', 'Content-Security-Policy': PAGE_POLICY }
    response.writeHead(402, { ...headers, 'Cache-Control': 'no-store' }).end(paywall({ header }, visit))
  }
  return shop
}

function serveAsset(address: string, response: ServerResponse): void {
  const asset = ASSETS.find(({ path }) => path === address.split('?')[0])
  if (!asset) return void response.writeHead(404).end()
  response.writeHead(200, { 'Content-Type': asset.mediaType }).end(asset.bytes)
}

function giveFree(shop: Shop, response: ServerResponse): void {
  response.setHeader('X-Tollbook-Mode', 'sandbox')
  if (shop.freeCallsLeft === 0) return void sendJson(response, 402, shop.envelope)
  shop.freeCallsLeft--
  response.setHeader('X-Demo-Calls-Remaining', shop.freeCallsLeft)
  sendJson(response, 200, REPLY)
}

function play(act: Act, response: ServerResponse): void {
  if (act.kind === 'drop') response.destroy()
  else if (act.kind === 'fail') fail(act, response)
  else deliver(act, response)
}

function fail(act: Act & { kind: 'fail' }, response: ServerResponse): void {
  const { status, json, retryAfterS, isForeign } = act
  if (!isForeign) response.setHeader('X-Tollbook-Mode', 'sandbox')
  if (retryAfterS !== undefined) response.setHeader('Retry-After', retryAfterS)
  sendJson(response, status, json)
}

function deliver(act: Act & { kind: 'deliver' | 'cut' }, response: ServerResponse): void {
  const settlement = { success: true, transaction: TRANSACTION, network: 'eip155:8453', payer: '0x' }
  response.setHeader('PAYMENT-RESPONSE', Buffer.from(JSON.stringify(settlement)).toString('base64'))
  if (act.kind === 'deliver') sendJson(response, 200, act.json ?? REPLY)
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
