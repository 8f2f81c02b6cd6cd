import { createL1Headers, createL2Headers } from '@polymarket/clob-client-v2'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { silentLog } from '../../../../core/log.ts'
import { createSeeded } from '../../../../testing/seeded.ts'
import { depositWalletOf } from '../../../../upstreams/polymarket/relayer/deposit-wallet.ts'
import { createSimulatedMarket } from '../../../market/simulated-market.ts'
import { openTradingAccounts, type TradingAccounts } from '../../../prediction/accounts/trading-accounts.ts'
import type { Custody } from '../../../prediction/custody.ts'
import { createPredictionVenue } from '../../../prediction/prediction-venue.ts'
import type { Peer } from '../../peers.ts'
import { type AccountsServer, createAccountsServer } from './accounts.ts'
import { ORDER_BURST } from './order-budget.ts'

const START_MS = Date.UTC(2026, 0, 5, 12)
const NOW_S = START_MS / 1000
const owner = privateKeyToAccount(`0x${'21'.repeat(32)}`)
const other = privateKeyToAccount(`0x${'22'.repeat(32)}`)

/** Takes every signature and has money: what is refused here is refused for another reason. */
const generous = {
  walletOf: depositWalletOf,
  isSigned: async () => true,
  prepare: async () => {},
  collateralOf: async () => 10n ** 12n,
  allowancesOf: async () => ({ '0xE111180000d2663C0091e4f400237545B87B996B': 10n ** 12n }),
  sharesOf: async () => [10n ** 12n],
  mayMoveShares: async () => true,
  onEvent: () => () => {},
  eventsAfter: async () => ({ events: [], head: 0 }),
} as unknown as Custody

let accounts: TradingAccounts
let server: AccountsServer

beforeAll(async () => {
  const cadence = { bookEveryMs: 1_000, tradesPerSecond: 0.1 }
  const market = createSimulatedMarket({ seed: 'hostile', startMs: START_MS, cadence })
  const venue = createPredictionVenue({ seed: 'hostile', market })
  accounts = await openTradingAccounts({ venue, custody: generous, onTick: market.onTick, log: silentLog })
  server = createAccountsServer(accounts)
})
afterAll(() => {
  server.close()
  accounts.close()
})

const signerOf = (account: PrivateKeyAccount) =>
  ({ account, signTypedData: (data: never) => account.signTypedData(data) }) as never
const lower = (headers: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]))

async function ask(method: string, target: string, headers: Record<string, string>, body = '') {
  const { pathname: path, searchParams: query } = new URL(target, 'http://venue')
  const reply = await server.rest({ method, path, query, headers, body: Buffer.from(body) })
  return { status: reply?.status, body: reply && JSON.parse(String(reply.body)) }
}
async function keyOf(account: PrivateKeyAccount, nonce = 0) {
  const headers = lower(await createL1Headers(signerOf(account), 137, nonce, NOW_S))
  const made = await ask('POST', '/auth/api-key', headers)
  const { body } = made.status === 200 ? made : await ask('GET', '/auth/derive-api-key', headers)
  return { key: body.apiKey as string, secret: body.secret as string, passphrase: body.passphrase as string }
}
type Key = Awaited<ReturnType<typeof keyOf>>

async function signed(key: Key, method: string, path: string, body?: string, timeS = NOW_S, account = owner) {
  const requestPath = path.split('?')[0] ?? ''
  const args = { method, requestPath, ...(body !== undefined && { body }) }
  return lower(await createL2Headers(signerOf(account), key, args, timeS))
}

test('a key is only given to whoever signed for it, in time', async () => {
  const good = lower(await createL1Headers(signerOf(owner), 137, 5, NOW_S))
  const wrong: Record<string, string>[] = [
    {},
    { ...good, poly_address: other.address },
    { ...good, poly_address: 'x' },
    { ...good, poly_nonce: '6' },
    { ...good, poly_nonce: '-1' },
    { ...good, poly_nonce: '9'.repeat(90) },
    { ...good, poly_timestamp: String(NOW_S + 1) },
    { ...good, poly_timestamp: 'NaN' },
    { ...good, poly_signature: `0x${'00'.repeat(65)}` },
    { ...good, poly_signature: `${good.poly_signature}00` },
    lower(await createL1Headers(signerOf(owner), 80_002, 5, NOW_S)),
    lower(await createL1Headers(signerOf(owner), 137, 5, NOW_S - 61)),
    lower(await createL1Headers(signerOf(owner), 137, 5, NOW_S + 61)),
  ]
  for (const headers of wrong)
    expect(await ask('POST', '/auth/api-key', headers)).toEqual({
      status: 401,
      body: { error: 'Invalid L1 Request headers' },
    })
  expect((await ask('GET', '/auth/derive-api-key', good)).status).toBe(400)
  const made = await ask('POST', '/auth/api-key', good)
  expect(made.status).toBe(200)
  expect((await ask('POST', '/auth/api-key', good)).status).toBe(400)
  expect(await ask('GET', '/auth/derive-api-key', good)).toEqual(made)
})

test('a request counts for a key only as it was signed with it', async () => {
  const key = await keyOf(owner)
  const good = await signed(key, 'GET', '/data/orders')
  expect((await ask('GET', '/data/orders', good)).status).toBe(200)
  const foreign = await keyOf(other)
  const wrong: Record<string, string>[] = [
    {},
    { ...good, poly_address: other.address },
    { ...good, poly_api_key: foreign.key },
    { ...good, poly_passphrase: foreign.passphrase },
    { ...good, poly_passphrase: '' },
    { ...good, poly_signature: `${good.poly_signature?.slice(1)}A` },
    { ...good, poly_signature: 'é' },
    { ...good, poly_timestamp: String(NOW_S - 1) },
    await signed(key, 'GET', '/data/trades'),
    await signed(key, 'POST', '/data/orders'),
    await signed(key, 'GET', '/data/orders', undefined, NOW_S - 61),
    await signed({ ...key, secret: foreign.secret }, 'GET', '/data/orders'),
  ]
  for (const headers of wrong) expect((await ask('GET', '/data/orders', headers)).status).toBe(401)
  const headers = await signed(key, 'DELETE', '/order', '{"orderID":"1"}')
  expect((await ask('DELETE', '/order', headers, '{"orderID":"2"}')).status).toBe(401)
  expect(
    (
      await ask(
        'DELETE',
        '/auth/api-key',
        await signed(foreign, 'DELETE', '/auth/api-key', undefined, NOW_S, other),
      )
    ).status,
  ).toBe(200)
  expect(
    (await ask('GET', '/data/orders', await signed(foreign, 'GET', '/data/orders', undefined, NOW_S, other)))
      .status,
  ).toBe(401)
})

const orderBody = (key: Key) => {
  const wallet = depositWalletOf(owner.address)
  const tokenId = accounts.venue.findBySlug(`btc-updown-5m-${NOW_S}`)?.tokenIds[0] ?? ''
  return {
    deferExec: false,
    postOnly: false,
    owner: key.key,
    orderType: 'GTC',
    order: {
      ...{ salt: 1, maker: wallet, signer: wallet, tokenId, side: 'BUY', signatureType: 3 },
      ...{ makerAmount: '200000', takerAmount: '10000000', timestamp: '1', expiration: '0' },
      ...{
        metadata: `0x${'0'.repeat(64)}`,
        builder: `0x${'0'.repeat(64)}`,
        signature: `0x${'00'.repeat(65)}`,
      },
    },
  }
}

test('whatever stands in an order, it is placed or refused with a reason', async () => {
  const key = await keyOf(owner, 1)
  const seeded = createSeeded(7)
  const odd = [
    null,
    '',
    '0',
    '-1',
    '1e400',
    'NaN',
    2 ** 70,
    -1,
    0.5,
    true,
    [],
    {},
    [[[]]],
    'é',
    '0x',
    '9'.repeat(100),
  ] as const
  const statuses = new Map<number, number>()
  for (let round = 0; round < 300; round++) {
    const body = structuredClone(orderBody(key)) as Record<string, unknown> & {
      order: Record<string, unknown>
    }
    body.order.salt = round
    const target = seeded.chance(0.8) ? body.order : body
    const name = seeded.pick(Object.keys(target) as [string, ...string[]])
    if (seeded.chance(0.2)) delete target[name]
    else if (name !== 'order' || seeded.chance(0.5)) target[name] = seeded.pick(odd)
    const text = seeded.chance(0.05) ? JSON.stringify(body).slice(0, seeded.below(400)) : JSON.stringify(body)
    const reply = await ask('POST', '/order', await signed(key, 'POST', '/order', text), text)
    expect([200, 400]).toContain(reply.status)
    if (reply.status === 400) expect(reply.body).toEqual({ error: expect.stringMatching(/./) })
    statuses.set(reply.status ?? 0, (statuses.get(reply.status ?? 0) ?? 0) + 1)
  }
  expect(statuses.get(200)).toBeGreaterThan(5)
  expect(statuses.get(400)).toBeGreaterThan(100)
})

test.each([
  ['POST', '/orders', '[]'],
  ['POST', '/orders', JSON.stringify(Array(16).fill({}))],
  ['POST', '/orders', '{}'],
  ['DELETE', '/order', '[]'],
  ['DELETE', '/order', ''],
  ['DELETE', '/orders', '{}'],
  ['DELETE', '/orders', '[1]'],
  ['DELETE', '/cancel-market-orders', '7'],
  ['GET', '/data/orders?next_cursor=nonsense', ''],
  ['GET', '/data/trades?after=x', ''],
  ['GET', '/balance-allowance?asset_type=GOLD', ''],
  ['GET', '/balance-allowance?asset_type=CONDITIONAL&token_id=x', ''],
  ['GET', `/balance-allowance?asset_type=CONDITIONAL&token_id=${2n ** 256n}`, ''],
  ['GET', '/balance-allowance?asset_type=COLLATERAL&signature_type=9', ''],
])('%s %s %s is refused', async (method, path, body) => {
  // Another address, so that the budget of the test above does not count.
  const key = await keyOf(other, 2)
  const payload = method === 'GET' ? undefined : body
  // A trade, so that its filters are read.
  accounts.store.trades.put({
    ...{
      id: 't',
      seq: 1,
      orderId: `0x${'1'.repeat(64)}`,
      owner: 'k',
      wallet: depositWalletOf(other.address),
    },
    ...{ conditionId: 'c', tokenId: '1', side: 'BUY', priceE4: 1, sharesE6: 1, collateralE6: 1, feeE6: 0 },
    ...{ role: 'TAKER', counter: { orderId: '', wallet: '' }, status: 'FAILED', transactionHash: '' },
    settlementId: `0x${'0'.repeat(64)}`,
    ...{ matchedMs: 1, updatedMs: 1 },
  })
  const headers = await signed(key, method, path, payload, NOW_S, other)
  expect((await ask(method, path, headers, body)).status).toBe(400)
})

test('a signer that sends too many orders is told to slow down, and nobody else', async () => {
  const key = await keyOf(owner, 3)
  const body = JSON.stringify({ orderID: 'x' })
  const cancel = async (from: Key, account = owner) =>
    (await ask('DELETE', '/order', await signed(from, 'DELETE', '/order', body, NOW_S, account), body)).status
  let count = 0
  while ((await cancel(key)) !== 429 && count <= ORDER_BURST) count++
  expect(count).toBeLessThanOrEqual(ORDER_BURST)
  expect(await cancel(await keyOf(other, 3), other)).toBe(200)
})

test('frames that are no frames close the user channel or change nothing', async () => {
  const key = await keyOf(owner, 4)
  const auth = { apiKey: key.key, secret: key.secret, passphrase: key.passphrase }
  const firsts = [
    '',
    '{',
    '[]',
    '{"auth":1}',
    '{"auth":{}}',
    '{"auth":{"apiKey":{}}}',
    '\u0000',
    '{"auth":null}',
  ]
  for (const first of firsts) expect(talk([first])).toEqual({ sent: [], closed: 1008 })
  const { sent, closed } = talk([
    JSON.stringify({ auth, type: 'user', markets: ['0x1'] }),
    ...['PING', '{', '{"operation":"subscribe","markets":[1]}', '{"operation":"x"}'],
    JSON.stringify({
      operation: 'subscribe',
      markets: Array.from({ length: 2_000 }, (_, index) => `${index}`),
    }),
  ])
  expect(closed).toBeUndefined()
  expect(sent).toEqual(['PONG', 'INVALID OPERATION', 'INVALID OPERATION', 'INVALID OPERATION'])
})

function talk(texts: readonly string[]) {
  const sent: string[] = []
  let hear: (text: string) => void = () => {}
  let closed: number | undefined
  const peer: Peer = {
    send: (_, text) => void sent.push(text),
    close: (code) => {
      closed = code
    },
    onText: (handler) => {
      hear = handler
    },
    onGone: () => {},
  }
  server.socketAt('/ws/user')?.(peer)
  for (const text of texts) hear(text)
  return { sent, closed }
}
