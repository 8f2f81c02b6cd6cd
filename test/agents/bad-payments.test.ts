import { expect, test } from 'vitest'
import { type Buyer, createBuyer } from '../../src/testing/buyer.ts'
import { createClient } from '../../src/testing/client.ts'
import { createRpc } from '../../src/testing/rpc-client.ts'
import { useSharedWorld } from '../../src/testing/shared/shared-world.ts'
import type { World } from '../../src/testing/world.ts'

type Terms = Parameters<Buyer['wallet']['createPaymentPayload']>[0]
let world: World
/** Signed by nobody: only the chain can say whether its wallet is a contract that accepts it. */
let forged: object
/** For less than the price. */
let cheap: object
useSharedWorld('usual', async (it) => {
  world = it
  const { wallet } = await createBuyer(world)
  const terms = (await (await world.get('/price/BTC?demo=0')).json()) as Terms
  const payload = await wallet.createPaymentPayload(terms)
  forged = { ...payload, payload: { ...payload.payload, signature: `0x${'11'.repeat(64)}1b` } }
  const { authorization } = payload.payload as { authorization: object }
  cheap = { ...payload, payload: { ...payload.payload, authorization: { ...authorization, value: '1' } } }
})

/** Twice the larger limit: a new minute may begin on the way. */
const MAX_CALLS = 122
const message = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params })
type Pay = () => Promise<{ text: string }>
const SURFACES: [string, (address: string, payment: object) => Pay][] = [
  [
    'HTTP',
    (address, payment) => {
      const headers = { 'payment-signature': Buffer.from(JSON.stringify(payment)).toString('base64') }
      return () => createClient(world, address)('/price/BTC', { headers })
    },
  ],
  [
    'MCP',
    (address, payment) => {
      const params = { name: 'get_price', arguments: { token: 'BTC' }, _meta: { 'x402/payment': payment } }
      return () => createRpc(world, '/mcp', address)(message('tools/call', params))
    },
  ],
  [
    'A2A',
    (address, payment) => {
      const metadata = { 'x402.payment.payload': payment }
      const parts = [{ data: { skill: 'market.price', params: { token: 'BTC' } } }]
      const params = { message: { messageId: 'm', parts, metadata } }
      return () => createRpc(world, '/a2a', address)(message('SendMessage', params))
    },
  ],
]

/** Sends it until it is told to wait; returns what was said then. */
async function payUntilLimited(pay: Pay, reason: string): Promise<string> {
  let said = (await pay()).text
  for (let n = 1; n < MAX_CALLS && !said.includes('rate_limited'); n++) {
    expect(said).toContain(reason)
    said = (await pay()).text
  }
  return said
}

test.each(SURFACES)(
  'over %s a client with many bad signatures is told to wait, and nobody else',
  async (name, payAs) => {
    const at = SURFACES.findIndex(([surface]) => surface === name)
    const said = await payUntilLimited(payAs(`127.9.4.${at + 1}`, forged), 'invalid_signature')
    expect(said).toContain('were not by their wallets')
    expect((await payAs(`127.9.5.${at + 1}`, forged)()).text).toContain('invalid_signature')
  },
)

test.each(SURFACES)(
  'over %s a client with many refused payments is told to wait, and nobody else',
  async (name, payAs) => {
    const at = SURFACES.findIndex(([surface]) => surface === name)
    const said = await payUntilLimited(payAs(`127.9.6.${at + 1}`, cheap), 'wrong_amount')
    expect(said).toContain('from one client were refused or left open; nothing was charged')
    expect(said).toMatch(/send the same payment again after \d+ s/)
    expect(said).toContain('somebody behind your address sent them')
    expect((await payAs(`127.9.7.${at + 1}`, cheap)()).text).toContain('wrong_amount')
  },
)
