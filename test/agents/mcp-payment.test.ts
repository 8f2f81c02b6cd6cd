import { expect, test } from 'vitest'
import { type Buyer, createBuyer } from '../../src/testing/buyer.ts'
import { moneyOf } from '../../src/testing/chain-money.ts'
import { connectMcp, ERAS, type Era } from '../../src/testing/mcp-client.ts'
import { useSharedWorld } from '../../src/testing/shared/shared-world.ts'
import type { World } from '../../src/testing/world.ts'

const PRICE = 1_000n
const PAYMENT = 'x402/payment'
const RECEIPT = 'x402/payment-response'

let world: World
useSharedWorld('with many free calls', (it) => {
  world = it
})

type Result = {
  isError?: boolean
  content: { type: string; text: string }[]
  structuredContent?: Terms
  _meta?: Meta
}
type Terms = Parameters<Buyer['wallet']['createPaymentPayload']>[0] & { error: string }
type Meta = Record<string, { success: boolean; transaction: string; remaining: number }>

/** Without free calls. */
const call = async (args: object, payment?: unknown, era: Era = 'legacy') => {
  const client = await connectMcp(world, era, { 'x-demo': 'off' })
  const params = {
    name: 'get_price',
    arguments: { ...args },
    ...(payment !== undefined && { _meta: { [PAYMENT]: payment } }),
  }
  const result = (await client.callTool(params)) as Result
  await client.close()
  return result
}

test.each(ERAS)(
  'settles on the chain, is in the ledger, and buys once whatever it comes through (%s)',
  async (era) => {
    const buyer = await createBuyer(world)
    const before = await moneyOf(buyer)
    const unpaid = await call({ token: 'ETH' }, undefined, era)
    expect(unpaid).toMatchObject({
      isError: true,
      structuredContent: { x402Version: 2, error: 'payment_required' },
    })
    expect(JSON.parse(unpaid.content[0]?.text ?? '')).toEqual(unpaid.structuredContent)
    expect(unpaid.structuredContent).toMatchObject({ resource: { url: `${world.url}/price/ETH` } })

    const payload = await buyer.wallet.createPaymentPayload(unpaid.structuredContent as Terms)
    const bought = await call({ token: 'ETH' }, payload, era)
    expect(bought.isError).toBeUndefined()
    expect(bought._meta?.[RECEIPT]).toMatchObject({
      success: true,
      transaction: expect.stringMatching(/^0x/),
    })
    expect(await moneyOf(buyer)).toBe(before - PRICE)
    const id = receiptIdOf(bought)
    const row = await (await world.get(`/x402/receipts/${id}`)).json()
    expect(row).toMatchObject({ transaction: bought._meta?.[RECEIPT]?.transaction })

    const again = await call({ token: 'ETH' }, payload, era)
    expect(again).toEqual(bought)
    const header = Buffer.from(JSON.stringify(payload)).toString('base64')
    const overHttp = await world.get('/price/ETH', { 'payment-signature': header })
    expect([overHttp.status, await overHttp.text()]).toEqual([200, bought.content[0]?.text])
    expect(await moneyOf(buyer)).toBe(before - PRICE)

    const other = await call({ token: 'BTC' }, payload, era)
    expect([other.isError, other.content[0]?.text]).toEqual([
      true,
      expect.stringContaining('sign a new payment'),
    ])
    expect(await moneyOf(buyer)).toBe(before - PRICE)
  },
)

test('a payment made over HTTP fetches its reply here', async () => {
  const buyer = await createBuyer(world)
  const sold = await (await buyer.fetch(`${world.url}/price/SOL?demo=0`)).text()
  const payload = JSON.parse(Buffer.from(buyer.sent.at(-1) ?? '', 'base64').toString())
  const here = await call({ token: 'SOL' }, payload)
  expect(here.content[0]?.text).toBe(sold)
})

test.each([
  ['a number', 7],
  ['null', null],
  ['a list', []],
  ['text', 'pay later'],
  ['an empty object', {}],
  ['another version', { x402Version: 3 }],
])('%s in its place is refused and gets no free call', async (_, payment) => {
  const client = await connectMcp(world)
  const before = (await client.callTool({ name: 'get_price', arguments: { token: 'BTC' } })) as Result
  const refused = (await client.callTool({
    name: 'get_price',
    arguments: { token: 'BTC' },
    _meta: { [PAYMENT]: payment },
  })) as Result
  expect(refused).toMatchObject({
    isError: true,
    structuredContent: { error: expect.stringMatching(/malformed_payment|unsupported_version/) },
  })
  const after = (await client.callTool({ name: 'get_price', arguments: { token: 'BTC' } })) as Result
  const left = ({ _meta }: Result) => _meta?.['tollbook/demo-calls']?.remaining ?? 0
  expect(left(after)).toBe(left(before) - 1)
  await client.close()
})

function receiptIdOf({ _meta }: Result): string {
  const receipt = _meta?.[RECEIPT] as unknown as { extensions: Extensions } | undefined
  const [, body = ''] = receipt?.extensions['offer-receipt'].info.receipt.signature.split('.') ?? []
  return JSON.parse(Buffer.from(body, 'base64url').toString()).id
}
type Extensions = { 'offer-receipt': { info: { receipt: { signature: string } } } }
