import { createHmac } from 'node:crypto'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { lackOf } from '../../../../testing/missing.ts'
import {
  type LocalCustody,
  marketNamed,
  openLocalCustody,
} from '../../../../testing/sandbox/local-custody.ts'
import { depositWalletOf } from '../../../../upstreams/polymarket/relayer/deposit-wallet.ts'
import {
  signBatch,
  toCreateSubmission,
  toWalletSubmission,
} from '../../../../upstreams/polymarket/relayer/wallet-batch.ts'
import { approvalCalls, splitCall } from '../../../../upstreams/polymarket/relayer/wallet-calls.ts'
import { createRelayer } from './relayer.ts'
import { makeRelayerKeys, type RelayerKeys } from './relayer-keys.ts'

const KEYS = makeRelayerKeys('0x00000000000000000000000000000000000A11cE')
let local: LocalCustody | undefined
const here = (): LocalCustody => local as LocalCustody

beforeAll(async () => {
  local = await openLocalCustody()
})
afterAll(() => local?.close())
beforeEach((context) => {
  if (!local) context.skip(lackOf('anvil'))
})

const NAMED = { relayer_api_key: KEYS.api.key, relayer_api_key_address: KEYS.api.address }

/** Transactions go one at a time: once the second is through, so are those that were asked for before the first. */
async function chainIsIdle() {
  for (let each = 0; each < 2; each++) await here().custody.mint(KEYS.api.address, 0n)
}

function startRelayer() {
  const { clock, custody } = here()
  const relayer = createRelayer({ custody: () => custody, nowMs: clock.now, keys: KEYS })
  const ask = async (method: string, target: string, body: unknown = '', headers: object = NAMED) => {
    const { pathname: path, searchParams: query } = new URL(target, 'http://relayer')
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const request = { method, path, query, headers: { ...headers }, body: Buffer.from(text) }
    const reply = await relayer.rest(request)
    return (
      reply && { status: reply.status, headers: reply.headers ?? {}, json: JSON.parse(String(reply.body)) }
    )
  }
  const told = async (id: string) => (await ask('GET', `/transaction?id=${id}`))?.json[0]
  const carriedOut = async (id: string) => {
    await chainIsIdle()
    clock.advance(6_000)
    return (await told(id)).state as string
  }
  return { ask, told, carriedOut }
}

/** Someone with a deployed wallet, and what they sign. */
async function newOwner({ money = 0n } = {}) {
  const { owner, wallet } = await here().trader(money)
  const nowS = () => BigInt(Math.floor(here().clock.now() / 1000))
  const sign = async (change: object = {}, by = owner) =>
    toWalletSubmission(
      await signBatch(by, { wallet, nonce: 1n, deadline: nowS() + 200n, calls: approvalCalls(), ...change }),
    )
  return { owner, wallet, sign, nowS }
}

test('a wallet is made and its batch carried out, through every state on the clock of the venue', async () => {
  const { ask, told, carriedOut } = startRelayer()
  const { clock, custody } = here()
  const owner = privateKeyToAccount(generatePrivateKey())
  const wallet = depositWalletOf(owner.address)
  expect((await ask('GET', `/deployed?address=${wallet}&type=WALLET`))?.json).toEqual({ deployed: false })
  expect((await ask('GET', `/nonce?address=${owner.address}&type=WALLET`))?.json).toEqual({ nonce: '0' })
  const made = await ask('POST', '/submit', toCreateSubmission(owner.address))
  expect(made?.json).toEqual({ transactionID: expect.any(String), state: 'STATE_NEW' })
  expect(await carriedOut(made?.json.transactionID)).toBe('STATE_CONFIRMED')
  expect((await ask('GET', `/deployed?address=${owner.address.toLowerCase()}`))?.json).toEqual({
    deployed: true,
  })
  const again = await ask('POST', '/submit', toCreateSubmission(owner.address))
  expect([again?.status, again?.json]).toEqual([400, { error: 'wallet already deployed' }])

  const nowS = BigInt(clock.now() / 1000)
  const batch = await signBatch(owner, { wallet, nonce: 0n, deadline: nowS + 300n, calls: approvalCalls() })
  const { json } = (await ask('POST', '/submit', toWalletSubmission(batch))) ?? {}
  await chainIsIdle()
  expect(await custody.mayMoveShares(wallet)).toBe(true)
  const states: string[] = []
  for (const ms of [0, 1_000, 2_000, 3_000]) {
    clock.advance(ms)
    states.push((await told(json.transactionID)).state)
  }
  expect(states).toEqual(['STATE_NEW', 'STATE_EXECUTED', 'STATE_MINED', 'STATE_CONFIRMED'])
  expect(await told(json.transactionID)).toMatchObject({
    transactionHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    type: 'WALLET',
    nonce: '0',
    from: owner.address.toLowerCase(),
    proxyAddress: wallet.toLowerCase(),
    signature: batch.signature,
  })
  expect((await ask('GET', '/transactions'))?.json).toHaveLength(2)
})

test('what a wallet would not carry out is refused with a reason', async () => {
  const { ask } = startRelayer()
  const { sign, nowS, wallet } = await newOwner()
  const other = await newOwner()
  const stranger = privateKeyToAccount(generatePrivateKey())
  const good = await sign()
  const refusals: Record<string, unknown> = {
    'invalid nonce': await sign({ nonce: 0n }),
    'deadline expired': await sign({ deadline: nowS() - 1n }),
    'deadline too far in the future': await sign({ deadline: nowS() + 301n }),
    'invalid signature': { ...(await sign({}, other.owner)), from: good.from },
    'deposit wallet does not belong to the signer': await sign({}, other.owner),
    'wallet not deployed': toWalletSubmission(
      await signBatch(stranger, {
        wallet: depositWalletOf(stranger.address),
        nonce: 0n,
        deadline: nowS() + 9n,
        calls: approvalCalls(),
      }),
    ),
    'invalid request body: nonce': { ...good, nonce: `1${'0'.repeat(77)}9` },
    'invalid request body: depositWalletParams.calls': {
      ...good,
      depositWalletParams: { ...good.depositWalletParams, calls: [] },
    },
    'invalid request body: to': { ...good, to: wallet },
    'invalid request body: signature': { ...good, signature: '0x12' },
    'invalid request body: type': '{"type":',
  }
  for (const [error, body] of Object.entries(refusals)) {
    const reply = await ask('POST', '/submit', body)
    expect([reply?.status, reply?.json]).toEqual([400, { error }])
  }
  expect((await ask('GET', '/transactions'))?.json).toEqual([])
})

test('a nonce is taken once, also by two batches at the same moment, and a failed batch moves nothing', async () => {
  const { ask, carriedOut } = startRelayer()
  const { sign, wallet } = await newOwner({ money: 5_000_000n })
  const { conditionId, tokenIds } = marketNamed('relayed')
  await here().custody.prepare(conditionId, tokenIds)
  const calls = [splitCall(conditionId, 2_000_000n)]
  const both = await Promise.all([
    ask('POST', '/submit', await sign({ calls })),
    ask('POST', '/submit', await sign({ calls: [...calls, ...calls] })),
  ])
  expect(both.map((reply) => reply?.status).sort()).toEqual([200, 400])
  const taken = both.find((reply) => reply?.status === 200)
  expect(await carriedOut(taken?.json.transactionID)).toBe('STATE_CONFIRMED')
  const before = await here().custody.collateralOf(wallet)
  const tooMuch = await sign({ nonce: 2n, calls: [...calls, splitCall(conditionId, 9_000_000n)] })
  const failed = await ask('POST', '/submit', tooMuch)
  expect(await carriedOut(failed?.json.transactionID)).toBe('STATE_FAILED')
  expect(await here().custody.collateralOf(wallet)).toBe(before)
})

test('a key is needed: a named one, or a signature of the builder that is fresh and for this request', async () => {
  const { ask } = startRelayer()
  const { sign } = await newOwner()
  const body = JSON.stringify(await sign())
  const atS = Math.floor(here().clock.now() / 1000)
  const signed = (
    { key, secret, passphrase }: RelayerKeys['builder'],
    { path = '/submit', text = body, timestamp = atS } = {},
  ) => ({
    poly_builder_api_key: key,
    poly_builder_passphrase: passphrase,
    poly_builder_timestamp: String(timestamp),
    poly_builder_signature: createHmac('sha256', Buffer.from(secret, 'base64'))
      .update(`${timestamp}POST${path}${text}`)
      .digest('base64')
      .replaceAll('+', '-')
      .replaceAll('/', '_'),
  })
  const strangers = makeRelayerKeys(KEYS.api.address)
  const bad = [
    {},
    { relayer_api_key: KEYS.api.key },
    { ...NAMED, relayer_api_key: strangers.api.key },
    { ...NAMED, relayer_api_key_address: '0x00000000000000000000000000000000000000B0' },
    signed(strangers.builder),
    signed({ ...KEYS.builder, passphrase: '' }),
    signed({ ...KEYS.builder, secret: strangers.builder.secret }),
    signed(KEYS.builder, { path: '/other' }),
    signed(KEYS.builder, { text: `${body} ` }),
    signed(KEYS.builder, { timestamp: atS - 61 }),
    { ...signed(KEYS.builder), poly_builder_timestamp: 'NaN' },
  ]
  const statuses = await Promise.all(
    bad.map(async (headers) => (await ask('POST', '/submit', body, headers))?.status),
  )
  expect(statuses).toEqual(bad.map(() => 401))
  expect((await ask('GET', '/transactions', '', {}))?.status).toBe(401)
  expect((await ask('POST', '/submit', body, signed(KEYS.builder)))?.status).toBe(200)
})

test('more than 25 submissions in a minute are refused until the first is a minute old', async () => {
  const { ask } = startRelayer()
  const submit = async () => await ask('POST', '/submit', '{}')
  // Strangers do not count.
  for (let each = 0; each < 26; each++)
    expect((await ask('POST', '/submit', '{}', { relayer_api_key: 'x' }))?.status).toBe(401)
  for (let each = 0; each < 25; each++) expect((await submit())?.status).toBe(400)
  const refused = await submit()
  expect([refused?.status, refused?.headers['retry-after']]).toEqual([429, '60'])
  here().clock.advance(59_999)
  expect((await submit())?.status).toBe(429)
  here().clock.advance(1)
  expect((await submit())?.status).toBe(400)
})

test('hostile questions get errors, and without a chain everything is unavailable', async () => {
  const { ask } = startRelayer()
  for (const target of ['/nonce', '/nonce?address=0x12', '/deployed?address=__proto__'])
    expect((await ask('GET', target))?.status).toBe(400)
  expect((await ask('GET', '/transaction?id=__proto__'))?.status).toBe(404)
  expect(await ask('GET', '/submit')).toBeUndefined()
  expect(await ask('GET', '/toString')).toBeUndefined()
  const dark = createRelayer({ custody: () => undefined, nowMs: () => 0, keys: KEYS })
  const request = {
    method: 'GET',
    path: '/nonce',
    query: new URLSearchParams(),
    headers: {},
    body: Buffer.of(),
  }
  expect(await dark.rest(request)).toMatchObject({ status: 503 })
})
