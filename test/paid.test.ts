import { verifyReceiptSignatureJWS } from '@x402/extensions/offer-receipt'
import { createWalletClient, encodeFunctionData, http, parseAbi, publicActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { base } from 'viem/chains'
import { describe, expect, test } from 'vitest'
import { EVM_USDC } from '../src/core/usdc.ts'
import { contentDigestOf } from '../src/payments/receipts/settle-response.ts'
import { EVM_CONTRACTS } from '../src/sandbox/chains/evm/contracts.ts'
import { type Buyer, createBuyer } from '../src/testing/buyer.ts'
import { moneyOf } from '../src/testing/chain-money.ts'
import { walletPayer } from '../src/testing/sandbox/payers.ts'
import { useSharedWorld } from '../src/testing/shared/shared-world.ts'
import { startWorld, type World } from '../src/testing/world.ts'

const PRICE = 1_000n
let world: World
useSharedWorld('without free calls', (it) => {
  world = it
})

const settlementOf = (reply: Response, name = 'payment-response') =>
  JSON.parse(Buffer.from(reply.headers.get(name) ?? '', 'base64').toString())
const present = (path: string, payment: string, name = 'payment-signature') =>
  world.get(path, { [name]: payment })

/** Buys once and hands back the payment that was used. */
async function bought(buyer: Buyer, path = '/price/BTC') {
  const reply = await buyer.fetch(`${world.url}${path}`)
  expect(reply.status).toBe(200)
  return { reply, text: await reply.text(), payment: buyer.sent.at(-1) ?? '' }
}

describe.each(['base', 'solana'] as const)('a stock client on %s', (network) => {
  test('pays exactly the price and gets data with a receipt that verifies', async () => {
    const buyer = await createBuyer(world, network)
    const before = await moneyOf(buyer)
    const { reply, text } = await bought(buyer)
    expect(await moneyOf(buyer)).toBe(before - PRICE)
    expect(JSON.parse(text)).toMatchObject({ token: 'BTC', source: expect.stringMatching(/^sandbox/) })
    const settlement = settlementOf(reply)
    expect(settlement).toMatchObject({ success: true, transaction: expect.any(String) })
    expect(settlement.payer.toLowerCase()).toBe(
      network === 'base' ? buyer.address.toLowerCase() : settlement.payer.toLowerCase(),
    )
    const { receipt } = settlement.extensions['offer-receipt'].info
    const signed = await verifyReceiptSignatureJWS(receipt)
    expect(signed).toMatchObject({
      resourceUrl: `${world.url}/price/BTC`,
      transaction: settlement.transaction,
    })
    expect(reply.headers.get('content-digest')).toBe(contentDigestOf(text))
    expect(signed).toMatchObject({ contentDigest: contentDigestOf(text) })
  })

  test('fetches a lost reply again with the same payment, byte for byte, charged once', async () => {
    const buyer = await createBuyer(world, network)
    const { text, payment, reply } = await bought(buyer)
    const before = await moneyOf(buyer)
    const again = await present('/price/BTC', payment)
    expect([again.status, await again.text()]).toEqual([200, text])
    expect(settlementOf(again)).toEqual(settlementOf(reply))
    expect(await moneyOf(buyer)).toBe(before)
  })

  test('cannot use one payment for anything else', async () => {
    const buyer = await createBuyer(world, network)
    const { payment } = await bought(buyer)
    for (const path of ['/price/ETH', '/price/btc', '/price/eth']) {
      const reply = await present(path, payment)
      expect([path, reply.status]).toEqual([path, 409])
      expect(await reply.json()).toMatchObject({ code: 'payment_already_used' })
    }
    expect((await present('/btc-price', payment)).status).toBe(402)
  })
})

describe.each(['deployed', 'counterfactual'] as const)('a contract wallet that is %s', (kind) => {
  test('pays like any other', async () => {
    const rich = await createBuyer(world)
    const wallet = await walletPayer(rich.rpcUrl, kind)
    const chain = openChain(rich)
    if (kind === 'deployed') await chain.send(EVM_CONTRACTS.SmartWalletFactory, wallet.creation)
    await chain.send(EVM_USDC, transferOf(wallet.address, 1_000_000n))
    const before = await moneyOf({ ...rich, address: wallet.address })
    const challenge = (await (await world.get('/price/BTC')).json()) as Challenge
    const [payload] = await wallet.pay(challenge.accepts[0] as Accepted)
    const payment = { ...payload, resource: challenge.resource }
    const reply = await present('/price/BTC', Buffer.from(JSON.stringify(payment)).toString('base64'))
    expect(reply.status).toBe(200)
    expect(settlementOf(reply).payer.toLowerCase()).toBe(wallet.address.toLowerCase())
    expect(await moneyOf({ ...rich, address: wallet.address })).toBe(before - PRICE)
  })
})

test('while no facilitator can be reached nobody is charged: 503 with Retry-After, and the payment stays good', async () => {
  await using deserted = await startWorld({
    TOLLBOOK_FACILITATORS: 'http://127.0.0.1:9',
    TOLLBOOK_DEMO_CALLS_PER_DAY: '0',
  })
  const buyer = await createBuyer(deserted)
  const before = await moneyOf(buyer)
  const reply = await deserted.get('/price/BTC', {
    'payment-signature': await sign(buyer, await deserted.get('/price/BTC')),
  })
  expect([reply.status, reply.headers.has('retry-after')]).toEqual([503, true])
  expect(await reply.json()).toMatchObject({ code: 'payments_unavailable' })
  expect(await moneyOf(buyer)).toBe(before)
})

describe('one payment presented 200 times at once', () => {
  test('is one settlement, one reply and one charge', async () => {
    const buyer = await createBuyer(world)
    const challenge = await world.get('/price/BTC')
    const payment = await sign(buyer, challenge)
    const before = await moneyOf(buyer)
    const replies = await Promise.all(Array.from({ length: 200 }, () => present('/price/BTC', payment)))
    const statuses = new Set(replies.map(({ status }) => status))
    expect([...statuses].every((status) => [200, 409].includes(status))).toBe(true)
    const bodies = await Promise.all(replies.filter(({ ok }) => ok).map((reply) => reply.text()))
    expect(bodies.length).toBeGreaterThan(0)
    expect(new Set(bodies).size).toBe(1)
    expect(await moneyOf(buyer)).toBe(before - PRICE)
    expect((await present('/price/BTC', payment)).status).toBe(200)
  })
})

describe('what is not good', () => {
  test('is refused with a reason, charges nothing, and is never a server error', async () => {
    const buyer = await createBuyer(world)
    const payment = await sign(buyer, await world.get('/price/BTC'))
    const before = await moneyOf(buyer)
    for (const [name, tampered] of tamperings(payment)) {
      const reply = await present('/price/BTC', tampered)
      expect([name, reply.status]).toEqual([name, 402])
      const body = (await reply.json()) as { error: string }
      expect([name, body.error]).not.toEqual([name, 'payment_required'])
    }
    expect(await moneyOf(buyer)).toBe(before)
    expect((await present('/price/BTC', payment)).status).toBe(200)
  })

  test('a payment for a cheap product buys no dear one, and the other way round', async () => {
    const buyer = await createBuyer(world)
    const cheap = await sign(buyer, await world.get('/btc-price'))
    const dear = await sign(buyer, await world.get('/price/BTC'))
    expect((await present('/price/BTC', cheap)).status).toBe(402)
    expect((await present('/btc-price', dear)).status).toBe(402)
  })

  test('two different payments in one request are 400, the same one twice is one', async () => {
    const buyer = await createBuyer(world)
    const [one, two] = [
      await sign(buyer, await world.get('/price/BTC')),
      await sign(buyer, await world.get('/price/BTC')),
    ]
    const both = (v2: string, v1: string) =>
      world.get('/price/BTC', { 'payment-signature': v2, 'x-payment': v1 })
    expect((await both(one, toV1(two))).status).toBe(400)
    const before = await moneyOf(buyer)
    expect((await both(one, toV1(one))).status).toBe(200)
    expect(await moneyOf(buyer)).toBe(before - PRICE)
  })

  test('v1 in X-PAYMENT is upcast and answered in X-PAYMENT-RESPONSE', async () => {
    const buyer = await createBuyer(world)
    const payment = toV1(await sign(buyer, await world.get('/price/BTC')))
    const reply = await present('/price/BTC', payment, 'x-payment')
    expect(reply.status).toBe(200)
    expect(settlementOf(reply, 'x-payment-response')).toMatchObject({ success: true, network: 'base' })
  })

  test('a request that fails costs nothing and its payment stays good', async () => {
    const buyer = await createBuyer(world)
    const before = await moneyOf(buyer)
    const unused = await sign(buyer, await world.get('/price/BTC'))
    expect((await present('/price/DOGE', unused)).status).toBe(404)
    expect((await present('/price/BTC?coin=eth', unused)).status).toBe(422)
    const stale = await sign(buyer, await world.get('/price/BTC?max_age=0'))
    const refused = await present('/price/BTC?max_age=0', stale)
    expect([refused.status, refused.headers.has('retry-after')]).toEqual([503, true])
    expect(await moneyOf(buyer)).toBe(before)
    expect((await present('/price/BTC', stale)).status).toBe(200)
  })
})

type Accepted = Parameters<Awaited<ReturnType<typeof walletPayer>>['pay']>[0]
type Challenge = { accepts: Accepted[]; resource: object }

/** Transactions by hand; the sandbox's wallets hold gas for that. */
function openChain({ secret, rpcUrl }: Buyer) {
  const account = privateKeyToAccount(secret as `0x${string}`)
  const client = createWalletClient({ account, chain: base, transport: http(rpcUrl) }).extend(publicActions)
  return {
    async send(to: `0x${string}`, data: `0x${string}`) {
      const hash = await client.sendTransaction({ to, data })
      await client.waitForTransactionReceipt({ hash, pollingInterval: 50 })
    },
  }
}

function transferOf(to: string, amount: bigint): `0x${string}` {
  const abi = parseAbi(['function transfer(address to, uint256 amount) returns (bool)'])
  return encodeFunctionData({ abi, args: [to as `0x${string}`, amount] })
}

async function sign(buyer: Buyer, challenge: Response): Promise<string> {
  const { x402HTTPClient } = await import('@x402/fetch')
  const http = new x402HTTPClient(buyer.wallet)
  const required = http.getPaymentRequiredResponse(
    (name) => challenge.headers.get(name),
    await challenge.json(),
  )
  const [header = ''] = Object.values(
    http.encodePaymentSignatureHeader(await http.createPaymentPayload(required)),
  )
  return header
}

function toV1(header: string): string {
  const { payload } = JSON.parse(Buffer.from(header, 'base64').toString())
  return Buffer.from(JSON.stringify({ x402Version: 1, scheme: 'exact', network: 'base', payload })).toString(
    'base64',
  )
}

/** The good payment with one thing wrong in each. */
function tamperings(header: string): [string, string][] {
  const good = JSON.parse(Buffer.from(header, 'base64').toString())
  const change = (edit: (payment: typeof good) => void): string => {
    const copy = structuredClone(good)
    edit(copy)
    return Buffer.from(JSON.stringify(copy)).toString('base64')
  }
  const authorization = (field: string, value: unknown) =>
    change((payment) => {
      payment.payload.authorization[field] = value
    })
  const accepted = (field: string, value: unknown) =>
    change((payment) => {
      payment.accepted[field] = value
    })
  const other = `0x${'12'.repeat(20)}`
  return [
    ['amount above', authorization('value', '1001')],
    ['amount below', authorization('value', '999')],
    ['amount as exponent', authorization('value', '1e3')],
    ['amount as hex', authorization('value', '0x3e8')],
    ['amount as number', authorization('value', 1000)],
    ['amount with zeros', authorization('value', '0001000')],
    ['recipient', authorization('to', other)],
    ['payer', authorization('from', other)],
    ['nonce', authorization('nonce', `0x${'ab'.repeat(32)}`)],
    ['short nonce', authorization('nonce', '0xab')],
    ['not yet valid', authorization('validAfter', '99999999999')],
    ['expired', authorization('validBefore', '1')],
    ['for ever', authorization('validBefore', '99999999999')],
    ['accepted amount', accepted('amount', '1')],
    ['accepted asset', accepted('asset', other)],
    ['accepted payTo', accepted('payTo', other)],
    ['accepted network', accepted('network', 'eip155:84532')],
    ['accepted alias', accepted('network', 'base')],
    ['accepted scheme', accepted('scheme', 'upto')],
    ['accepted timeout', accepted('maxTimeoutSeconds', 31_536_000)],
    ['accepted domain', accepted('extra', { name: 'USDC', version: '2' })],
    ['version 3', change((payment) => void Object.assign(payment, { x402Version: 3 }))],
    ['version 1', change((payment) => void Object.assign(payment, { x402Version: 1 }))],
    ['version as text', change((payment) => void Object.assign(payment, { x402Version: '2' }))],
    [
      'resource',
      change((payment) => void Object.assign(payment.resource ?? {}, { url: 'https://elsewhere.example/x' })),
    ],
    ['no payload', change((payment) => void Object.assign(payment, { payload: {} }))],
    ['no signature', change((payment) => void Object.assign(payment.payload, { signature: '0x' }))],
    [
      'another signature',
      change((payment) => void Object.assign(payment.payload, { signature: `0x${'1b'.repeat(65)}` })),
    ],
    ['base64url', header.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '').concat('-_')],
    ['not base64', '{"x402Version":2}'],
    ['not JSON', Buffer.from('not json').toString('base64')],
    ['empty object', Buffer.from('{}').toString('base64')],
    ['null', Buffer.from('null').toString('base64')],
    ['array', Buffer.from('[]').toString('base64')],
    ['cut off', header.slice(0, header.length / 2)],
    ['blank', ' '],
  ]
}
