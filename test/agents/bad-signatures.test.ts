import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Buyer, createBuyer } from '../../src/testing/buyer.ts'
import { createClient } from '../../src/testing/client.ts'
import { createRpc } from '../../src/testing/rpc-client.ts'
import { startWorld, type World } from '../../src/testing/world.ts'

type Terms = Parameters<Buyer['wallet']['createPaymentPayload']>[0]
let world: World
/** Signed by nobody: only the chain can say whether its wallet is a contract that accepts it. */
let payment: object
beforeAll(async () => {
  world = await startWorld()
  const { wallet } = await createBuyer(world)
  const terms = (await (await world.get('/price/BTC?demo=0')).json()) as Terms
  const payload = await wallet.createPaymentPayload(terms)
  payment = { ...payload, payload: { ...payload.payload, signature: `0x${'11'.repeat(64)}1b` } }
})
afterAll(() => world[Symbol.asyncDispose]())

/** Twice the limit: a new minute may begin on the way. */
const MAX_CALLS = 62
const message = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params })
type Pay = () => Promise<{ text: string }>
const SURFACES: [string, (address: string) => Pay][] = [
  [
    'HTTP',
    (address) => {
      const headers = { 'payment-signature': Buffer.from(JSON.stringify(payment)).toString('base64') }
      return () => createClient(world, address)('/price/BTC', { headers })
    },
  ],
  [
    'MCP',
    (address) => {
      const params = { name: 'get_price', arguments: { token: 'BTC' }, _meta: { 'x402/payment': payment } }
      return () => createRpc(world, '/mcp', address)(message('tools/call', params))
    },
  ],
  [
    'A2A',
    (address) => {
      const metadata = { 'x402.payment.payload': payment }
      const parts = [{ data: { skill: 'market.price', params: { token: 'BTC' } } }]
      const params = { message: { messageId: 'm', parts, metadata } }
      return () => createRpc(world, '/a2a', address)(message('SendMessage', params))
    },
  ],
]

test.each(SURFACES)(
  'over %s a client with many bad signatures is told to wait, and nobody else',
  async (name, payAs) => {
    const at = SURFACES.findIndex(([surface]) => surface === name)
    const pay = payAs(`127.9.4.${at + 1}`)
    let said = (await pay()).text
    for (let n = 1; n < MAX_CALLS && !said.includes('rate_limited'); n++) {
      expect(said).toContain('invalid_signature')
      said = (await pay()).text
    }
    expect(said).toContain('were not by their wallets')
    expect((await payAs(`127.9.5.${at + 1}`)()).text).toContain('invalid_signature')
  },
)
