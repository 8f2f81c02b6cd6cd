import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Requirement } from '../../src/catalog/payment-terms.ts'
import { usd } from '../../src/core/money.ts'
import { type Clock, sleep, systemClock } from '../../src/core/time/clock.ts'
import { account, signAuthorization, toHeader } from '../../src/testing/payments/sample-evm.ts'
import { type ChainWorld, openChainWorld } from './chain-world.ts'

const KEY = 'operator-of-the-reorganised-chain-0123456789'
const PATH = '/price/BTC'
/** More than the local chain's finalized block is behind its head. */
const UNTIL_FINAL_BLOCKS = 70
const ASK_EVERY_MS = 200
type Service = Awaited<ReturnType<ChainWorld['start']>>
type Dashboard = {
  revenue: { total: { settlements: number } }
  undone_payments: Record<'lost' | 'open' | 'paid_again' | 'unseen', { settlements: number }> & {
    newest: { state: string; wallet: string; transaction: string; new_transaction: string | null }[]
  }
}

let world: ChainWorld
let aheadMs = 0
/** The machine's clock and more: payments are looked at again minutes later. */
const clock: Clock = { ...systemClock, now: () => systemClock.now() + aheadMs }
beforeAll(async () => {
  world = await openChainWorld()
  await world.evm.fundUsdc(account.address, usd('1'))
})
afterAll(() => world.close())

/** A payment signed by the clock of the service. */
async function signed(service: Service) {
  const challenge = (await (await service.get(PATH)).json()) as {
    accepts: Requirement[]
    resource: unknown
  }
  const ours = challenge.accepts.find(({ network }) => network.startsWith('eip155')) as Requirement
  const payload = await signAuthorization(ours, {
    nonce: `0x${randomBytes(32).toString('hex')}`,
    validBefore: String(Math.floor(clock.now() / 1000) + ours.maxTimeoutSeconds),
  })
  const { resource } = challenge
  const header = toHeader({ x402Version: 2, accepted: ours, payload, resource })
  return () => service.get(PATH, { 'payment-signature': header })
}

/** As a buyer does who is told to come again; `until` ends it earlier. */
async function untilSold(buy: () => Promise<Response>, until?: string): Promise<Response> {
  for (;;) {
    const reply = await buy()
    if (reply.status !== 503) return reply
    const { code } = (await reply.json()) as { code: string }
    if (code === until) return reply
  }
}

async function dashboard(service: Service): Promise<Dashboard> {
  const reply = await service.get('/admin/dashboard', { authorization: `Bearer ${KEY}` })
  return (await reply.json()) as Dashboard
}
async function untilShown(service: Service, isIt: (shown: Dashboard) => boolean): Promise<Dashboard> {
  for (;;) {
    const shown = await dashboard(service)
    if (isIt(shown)) return shown
    await sleep(systemClock, ASK_EVERY_MS)
  }
}

/** Returns a way back to the chain of now; who sent something since goes on with its next nonce. */
async function beforeSale(): Promise<() => Promise<void>> {
  const { rpc } = world.evm
  const from = Number(await rpc('eth_blockNumber'))
  const snapshot = await rpc('evm_snapshot')
  return async () => {
    const nonces = new Map<string, unknown>()
    for (let at = from + 1; at <= Number(await rpc('eth_blockNumber')); at++) {
      const block = (await rpc('eth_getBlockByNumber', `0x${at.toString(16)}`, true)) as {
        transactions: { from: string }[]
      }
      for (const { from: sender } of block.transactions)
        nonces.set(sender, await rpc('eth_getTransactionCount', sender, 'latest'))
    }
    await rpc('evm_revert', snapshot)
    for (const [sender, nonce] of nonces) await rpc('anvil_setNonce', sender, nonce)
  }
}

/** The service is away meanwhile: a market does not leap. */
async function letTimePass(service: Service, seconds: number): Promise<void> {
  const { evm } = world
  await evm.rpc('evm_increaseTime', seconds)
  await evm.mine(UNTIL_FINAL_BLOCKS)
  const { timestamp } = (await evm.rpc('eth_getBlockByNumber', 'latest', false)) as { timestamp: string }
  aheadMs = Number(timestamp) * 1000 - systemClock.now()
  await service.restart()
}

test('a sale that the chain takes back is kept, counted and shown, and its payer waits for finality', async () => {
  await using service = await world.start(1, { clock, env: { TOLLBOOK_OPERATOR_KEY: KEY } })
  const { evm } = world
  const stands = await signed(service)
  expect((await untilSold(stands)).status).toBe(200)
  const takeBack = await beforeSale()
  const buy = await signed(service)
  const bought = await untilSold(buy)
  const text = await bought.text()
  expect(bought.status).toBe(200)
  await untilShown(service, ({ revenue }) => revenue.total.settlements === 2)

  await takeBack()
  await letTimePass(service, 1_000)
  // Reports are kept for a moment, so the sum may follow a little later.
  const shown = await untilShown(
    service,
    ({ undone_payments: { lost }, revenue }) => lost.settlements > 0 && revenue.total.settlements < 2,
  )
  expect(shown).toMatchObject({
    revenue: { total: { settlements: 1 } },
    undone_payments: {
      ...{ lost: { settlements: 1 }, open: { settlements: 0 }, unseen: { settlements: 0 } },
      newest: [{ state: 'lost', new_transaction: null, transaction: expect.stringMatching(/^0x/) }],
    },
  })
  expect(shown.undone_payments.newest[0]?.wallet.toLowerCase()).toBe(account.address.toLowerCase())

  // It was delivered, and is delivered again.
  const again = await buy()
  expect([again.status, await again.text()]).toEqual([200, text])

  const next = await signed(service)
  const pending = await untilSold(next, 'payment_pending')
  expect(pending.status).toBe(503)
  await evm.mine(UNTIL_FINAL_BLOCKS)
  expect((await untilSold(next)).status).toBe(200)
  const after = await untilShown(service, ({ revenue }) => revenue.total.settlements === 2)
  expect(after.undone_payments.lost.settlements).toBe(1)
})
