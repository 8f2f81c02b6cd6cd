import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { USDC } from '../../../clients/ts/bounds.ts'
import type { Offer, PaymentRequired, Wallet } from '../../../clients/ts/x402.ts'
import { listen } from '../../http/listen.ts'

export const PAY_TO = `0x${'ab'.repeat(20)}`
export const OFFER: Offer = {
  scheme: 'exact',
  network: 'eip155:8453',
  asset: USDC.base.asset,
  amount: '1000',
  payTo: PAY_TO,
  maxTimeoutSeconds: 300,
  extra: { name: 'USD Coin', version: '2' },
}

export type Answer = (response: ServerResponse, request: IncomingMessage) => void
type Behaviour = {
  /** To a payment, one after the other; the last one from then on. */
  toPayment?: Answer[]
  toAsking?: Answer
  /** What the 402 says instead of honest terms; `call` counts the 402s from 0. */
  terms?: (honest: PaymentRequired, call: number) => unknown
}

export const sells: Answer = (response) => response.end('{"price":1}')
export const says =
  (status: number, headers: Record<string, string> = {}, body = '{}'): Answer =>
  (response) =>
    response.writeHead(status, headers).end(body)

/** A seller that does what it is told, and a wallet that counts what it signs for it. */
export async function startSeller({ toPayment = [sells], toAsking, terms = (honest) => honest }: Behaviour) {
  const payments: string[] = []
  const asked: IncomingMessage[] = []
  const signed: PaymentRequired[] = []
  const server = createServer((request, response) => {
    const payment = request.headers['payment-signature']
    if (typeof payment === 'string') {
      payments.push(payment)
      return toPayment[Math.min(payments.length, toPayment.length) - 1]?.(response, request)
    }
    const call = asked.push(request) - 1
    if (toAsking) return toAsking(response, request)
    const honest = { x402Version: 2, resource: { url: `${url}${request.url}` }, accepts: [OFFER] }
    const header = Buffer.from(JSON.stringify(terms(honest, call))).toString('base64')
    response.writeHead(402, { 'payment-required': header }).end('{}')
  })
  const url = `http://127.0.0.1:${await listen(server, '127.0.0.1', 0)}`
  const wallet: Wallet = {
    async createPaymentPayload(required) {
      return { x402Version: 2, nonce: signed.push(required), accepted: required.accepts[0] }
    },
  }
  return {
    ...{ url, wallet, payments, asked, signed },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
