import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLog } from '../src/core/log.ts'
import { createBuyer } from '../src/testing/buyer.ts'
import { createClient } from '../src/testing/client.ts'
import { replaceSignals } from '../src/testing/products/hand-made-signals.ts'
import { startWorld, type World } from '../src/testing/world.ts'

const OPERATOR_KEY = 'operator-canary-0123456789'
const CANARY = 'canary-abcdefghijklmnopqrstuvwxyz'
const KEY = `0x${'5ec7e7'.repeat(10)}aaaa`

type Line = Record<'method' | 'path' | 'product' | 'via' | 'payer' | 'client' | 'code', string> & {
  status: number
}

describe('the request log', () => {
  const folder = mkdtempSync(join(tmpdir(), 'log-'))
  const file = join(folder, 'log')
  let world: World
  let log: ReturnType<typeof createLog>
  beforeAll(async () => {
    log = createLog({ level: 'debug', fd: openSync(file, 'w') })
    const env = { TOLLBOOK_OPERATOR_KEY: OPERATOR_KEY, TOLLBOOK_PUBLIC_REVENUE: 'off' }
    world = await startWorld({ ...env, TOLLBOOK_DEMO_CALLS_PER_DAY: '1' }, log)
  })
  afterAll(async () => {
    await world[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  })

  const text = async () => {
    await log.flush()
    return readFileSync(file, 'utf8')
  }
  const everyLine = async () =>
    (await text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  const lines = async () => (await everyLine()).filter(({ msg }) => msg === 'request') as Line[]
  const since = async (act: () => Promise<unknown>) => {
    const before = (await lines()).length
    await act()
    return (await lines()).slice(before)
  }

  test('says what was called, how it was let in, by whom, and who paid', async () => {
    const buyer = await createBuyer(world)
    const client = createClient(world)
    const shown = await since(async () => {
      await client('/price/ETH')
      await client('/price/ETH')
      await client('/btc-resolve')
      await client('/pricing')
      await client('/x402/stats', { headers: { authorization: `Bearer ${OPERATOR_KEY}` } })
      await client('/x402/stats')
      await client('/nowhere')
      await buyer.fetch(`${world.url}/price/BTC?demo=0`)
      const bought = { headers: { 'PAYMENT-SIGNATURE': buyer.sent[0] ?? '' } }
      await fetch(`${world.url}/price/BTC`, bought)
      // Whoever reads the chain can send it too, from elsewhere.
      await client('/price/BTC', bought)
      await client('/price/BTC', { headers: { 'PAYMENT-SIGNATURE': 'AAAA' } })
    })
    const payer = `${buyer.address.slice(0, 6)}…${buyer.address.slice(-4)}`.toLowerCase()
    expect(
      shown.map(({ path, product, via, payer: by, status }) => [
        path,
        product,
        via,
        by?.toLowerCase(),
        status,
      ]),
    ).toEqual([
      ['/price/ETH', 'market.price', 'demo', undefined, 200],
      ['/price/ETH', 'market.price', 'unpaid', undefined, 402],
      ['/btc-resolve', 'market.btc_resolve', 'free', undefined, 200],
      ['/pricing', 'document.pricing', 'free', undefined, 200],
      ['/x402/stats', 'payments.stats', 'operator', undefined, 200],
      ['/x402/stats', 'payments.stats', undefined, undefined, 401],
      ['/nowhere', undefined, undefined, undefined, 404],
      ['/price/BTC', 'market.price', 'unpaid', undefined, 402],
      ['/price/BTC', 'market.price', 'paid', payer, 200],
      ['/price/BTC', 'market.price', 'replay', payer, 200],
      ['/price/BTC', 'market.price', undefined, undefined, 409],
      ['/price/BTC', 'market.price', 'refused', undefined, 402],
    ])
    const clients = shown.map((line) => line.client)
    expect(clients.every((each) => /^[\w-]{10}$/.test(each))).toBe(true)
    expect(new Set(clients).size).toBe(2)
    expect(clients[0]).toBe(clients.at(-1))
    expect(clients[7]).not.toBe(clients[0])
  })

  test('says why a call failed, in a word of ours', async () => {
    const putBack = replaceSignals(world.app.services, () => undefined)
    const shown = await since(async () => {
      await createClient(world)('/signal')
      putBack()
      await createClient(world)('/x402/stats')
      await createClient(world)('/nowhere')
      await createClient(world)('/price/BTC', { headers: { 'PAYMENT-SIGNATURE': 'AAAA' } })
      await createClient(world)('/btc-resolve')
    })
    expect(shown.map(({ status, code }) => [status, code])).toEqual([
      [503, 'upstream_unavailable'],
      [401, 'unauthorized'],
      [404, 'not_found'],
      [402, 'malformed_payment'],
      [200, undefined],
    ])
  })

  test('says what the chain decided, and where the service listens', async () => {
    const buyer = await createBuyer(world)
    await buyer.fetch(`${world.url}/price/BTC?demo=0`)
    const found = async (said: string) => (await everyLine()).filter(({ msg }) => msg === said)
    const decided = (await found('the chain decided a payment')).at(-1)
    expect(decided).toMatchObject({
      product: 'market.price',
      state: 'settled',
      tx: expect.stringMatching(/^0x/),
    })
    expect(decided?.payer.toLowerCase()).toBe(
      `${buyer.address.slice(0, 6)}…${buyer.address.slice(-4)}`.toLowerCase(),
    )
    expect(decided).not.toHaveProperty('key')
    const { hostname: host, port } = new URL(world.url)
    expect(await found('listening')).toMatchObject([{ level: 'info', host, port: Number(port) }])
  })

  test('holds nothing that was secret, wherever it stood', async () => {
    const address = '127.77.88.99'
    const client = createClient(world, address)
    const wallets = JSON.parse((await client('/sandbox/wallets')).text)
    const buyers = [await createBuyer(world, 'base'), await createBuyer(world, 'solana')]
    const receipts: string[] = []
    for (const buyer of buyers) {
      const reply = await buyer
        .fetch(`${world.url}/price/BTC?demo=0&api_key=${CANARY}`)
        .catch(() => undefined)
      const bought = reply?.ok ? reply : await buyer.fetch(`${world.url}/price/BTC?demo=0`)
      receipts.push(idOf(bought.headers.get('payment-response') ?? ''))
    }
    for (const id of receipts) expect((await client(`/x402/receipts/${id}`)).status).toBe(200)
    const authorization = `Bearer ${CANARY}`
    for (const path of ['/x402/stats', '/price/BTC', `/price/${KEY}`, `/${CANARY}/x`, `/pricing?key=${KEY}`])
      await client(path, {
        headers: { authorization, cookie: CANARY, 'x-payment': KEY, 'x-forwarded-for': address },
      })
    await client('/x402/stats', { headers: { authorization: `Bearer ${OPERATOR_KEY}` } })
    const secrets = { private_key: KEY, payment_required: CANARY, wallet: KEY, signature: KEY, tx_hash: KEY }
    for (const path of ['/sandbox/payment', '/api/verify-tx'])
      await world.send('POST', path, {
        body: JSON.stringify({ ...secrets, endpoint: `/price/BTC?key=${CANARY}` }),
        headers: { 'content-type': 'application/json' },
      })
    await absolute(world.url, `http://user:${CANARY}@x/price/BTC`)
    await absolute(world.url, `http://user:${CANARY}@:bad:/`)

    const whole = (await text()).toLowerCase()
    const all = [
      OPERATOR_KEY,
      CANARY,
      KEY,
      address,
      wallets.evm.private_key,
      wallets.solana.secret_key,
      ...buyers.map(({ secret }) => secret),
      ...buyers.map(({ address: payer }) => payer),
      ...buyers.flatMap(({ sent }) => sent),
      ...receipts,
    ]
    expect(all.length).toBeGreaterThanOrEqual(12)
    expect(all.filter((secret) => secret.length < 10)).toEqual([])
    expect(all.filter((secret) => whole.includes(secret.toLowerCase().replace('0x', '')))).toEqual([])
  })
})

function idOf(settlement: string): string {
  const { extensions } = JSON.parse(Buffer.from(settlement, 'base64').toString())
  const [, payload = ''] = extensions['offer-receipt'].info.receipt.signature.split('.')
  return JSON.parse(Buffer.from(payload, 'base64url').toString()).id
}

function absolute(url: string, path: string): Promise<void> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    request({ hostname, port, path, agent: false }, (reply) => reply.resume().on('end', resolve))
      .on('error', reject)
      .end()
  })
}
