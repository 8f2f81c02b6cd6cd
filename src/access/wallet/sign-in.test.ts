import { decodeJwt, decodeProtectedHeader } from 'jose'
import {
  parseSignature,
  serializeCompactSignature,
  serializeSignature,
  signatureToCompactSignature,
} from 'viem'
import { parseSiweMessage } from 'viem/siwe'
import { describe, expect, test } from 'vitest'
import { notSignedIn } from '../../account/not-signed-in.ts'
import type { Answer } from '../../account/services.ts'
import { ServiceError } from '../../core/service-error.ts'
import { openSqliteStore } from '../../ledger/sqlite/store.ts'
import type { SmartWalletSignatures } from '../../payments/read/evm/smart-wallet-signatures.ts'
import {
  answerOf,
  createSignInWorld,
  newWallet,
  outcomeOf,
  type SignInWorld,
  unseenOf,
} from '../../testing/account/sign-in-world.ts'
import { temporaryDir } from '../../testing/ledger/temporary-dir.ts'
import { replaceTokenKeys, rotateTokenKeys } from './token-keys.ts'

const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const REFUSED = await outcomeOf(Promise.reject(notSignedIn('signature')))
const alice = newWallet()
const mallory = newWallet()

test('the challenge is EIP-4361, bound to service, wallet, chain and nonce, for five minutes', async () => {
  const { signIn, clock } = createSignInWorld()
  const made = signIn.challenge(alice.address.toLowerCase())
  expect(parseSiweMessage(made.message)).toEqual({
    domain: 'tollbook.example',
    address: alice.address,
    statement: expect.any(String),
    uri: 'https://tollbook.example',
    version: '1',
    chainId: 8453,
    nonce: made.nonce,
    issuedAt: new Date(clock.now()),
    expirationTime: new Date(clock.now() + 300_000),
  })
})

test('a holder gets a token of one hour with the claims that were promised', async () => {
  const world = createSignInWorld()
  const { token, ...made } = await world.signIn.verify(await answerOf(world, alice))
  expect(made).toMatchObject({ expiresInS: 3_600, wallet: alice.address, tier: { name: 'premium' } })
  const nowS = world.clock.now() / 1000
  expect(decodeProtectedHeader(token)).toEqual({ alg: 'EdDSA', typ: 'JWT', kid: world.keys.signer().kid })
  expect(decodeJwt(token)).toEqual({
    iss: world.baseUrl,
    aud: world.baseUrl,
    sub: `eip155:8453:${alice.address}`,
    iat: nowS,
    exp: nowS + 3_600,
    jti: expect.stringMatching(/^[\w-]{22}$/),
    tier: 'premium',
  })
  expect(await world.tokens.check(token)).toMatchObject({ wallet: alice.address.toLowerCase() })
})

test('who holds less than one token is told so, however often, and nothing is written', async () => {
  const book = { ...createSignInWorld().book, spendNonce: () => Promise.reject(new Error('written')) }
  const world = createSignInWorld({ held: 0n, book })
  const answer = await answerOf(world, alice)
  expect(await outcomeOf(world.signIn.verify(answer))).toMatch(/^forbidden/)
  expect(await outcomeOf(world.signIn.verify(answer))).toMatch(/^forbidden/)
})

describe('refused, always with the same words', () => {
  const spoilt: [string, (answer: Answer, message: string) => Answer | Promise<Answer>][] = [
    [
      'signed by somebody else',
      async (answer, message) => ({ ...answer, signature: await mallory.signMessage({ message }) }),
    ],
    ['for another wallet', (answer) => ({ ...answer, wallet: mallory.address })],
    [
      'another text',
      async (answer) => ({ ...answer, signature: await alice.signMessage({ message: 'hello' }) }),
    ],
    ['a nonce that was made up', (answer) => ({ ...answer, nonce: 'f'.repeat(64) })],
    ['a nonce with a later time', (answer) => ({ ...answer, nonce: later(answer.nonce) })],
    ['the nonce in capitals', (answer) => ({ ...answer, nonce: answer.nonce.toUpperCase() })],
    ['the nonce and more', (answer) => ({ ...answer, nonce: `${answer.nonce}0` })],
    ['an empty nonce', (answer) => ({ ...answer, nonce: '' })],
    ['another message beside it', (answer, message) => ({ ...answer, message: `${message} ` })],
    ['malleable: the higher s', (answer) => ({ ...answer, signature: withHighS(answer.signature) })],
    ['compact, 64 bytes', (answer) => ({ ...answer, signature: compact(answer.signature) })],
    ['truncated by a byte', (answer) => ({ ...answer, signature: answer.signature.slice(0, -2) })],
    ['truncated by half a byte', (answer) => ({ ...answer, signature: answer.signature.slice(0, -1) })],
    ['a byte too long', (answer) => ({ ...answer, signature: `${answer.signature}00` })],
    ['a v that is none', (answer) => ({ ...answer, signature: `${answer.signature.slice(0, -2)}1d` })],
    ['no hex', (answer) => ({ ...answer, signature: `0x${'zz'.repeat(65)}` })],
    ['empty', (answer) => ({ ...answer, signature: '' })],
  ]
  test.each(spoilt)('%s', async (_, spoil) => {
    const world = createSignInWorld()
    const { nonce, message } = world.signIn.challenge(alice.address)
    const answer = { wallet: alice.address, nonce, signature: await alice.signMessage({ message }) }
    expect(await outcomeOf(world.signIn.verify(await spoil(answer, message)))).toBe(REFUSED)
    // The challenge itself was good: what is refused is what was done to the answer.
    expect(await outcomeOf(world.signIn.verify({ ...answer, message }))).toBe('ok')
  })

  test('replayed', async () => {
    const world = createSignInWorld()
    const answer = await answerOf(world, alice)
    expect(await outcomeOf(world.signIn.verify(answer))).toBe('ok')
    expect(await outcomeOf(world.signIn.verify(answer))).toBe(REFUSED)
  })

  test('of another nonce of the same wallet', async () => {
    const world = createSignInWorld()
    const [one, other] = [await answerOf(world, alice), await answerOf(world, alice)]
    expect(await outcomeOf(world.signIn.verify({ ...one, signature: other.signature }))).toBe(REFUSED)
  })

  test('of another service with the same nonce', async () => {
    const here = createSignInWorld()
    const there = createSignInWorld({
      book: here.book,
      dataDir: here.dataDir,
      baseUrl: 'https://tollbook.example.net',
    })
    const answer = await answerOf(there, alice)
    expect(await outcomeOf(here.signIn.verify(answer))).toBe(REFUSED)
    expect(await outcomeOf(there.signIn.verify(answer))).toBe('ok')
  })

  test('expired', async () => {
    const world = createSignInWorld()
    const answer = await answerOf(world, alice)
    world.clock.advance(299_999)
    const late = await answerOf(world, alice)
    world.clock.advance(1)
    expect(await outcomeOf(world.signIn.verify(answer))).toBe(REFUSED)
    expect(await outcomeOf(world.signIn.verify(late))).toBe('ok')
  })
})

test('only the log is told why', async () => {
  const world = createSignInWorld()
  const wallet = alice.address.toLowerCase()
  const unseen = (answer: Answer) => unseenOf(world.signIn.verify(answer))
  const answer = await answerOf(world, alice)
  const late = await answerOf(world, alice)
  const bad = { ...answer, signature: await mallory.signMessage({ message: 'hello' }) }
  expect(await unseen({ ...answer, nonce: 'f'.repeat(64) })).toEqual({ cause: 'nonce_unknown', wallet })
  expect(await unseen({ ...answer, nonce: later(answer.nonce) })).toEqual({ cause: 'nonce_unknown', wallet })
  expect(await unseen({ ...answer, message: 'hello' })).toEqual({ cause: 'message_changed', wallet })
  expect(await unseen(bad)).toEqual({ cause: 'signature', wallet })
  world.chain.held = 0n
  expect(await unseen(answer)).toEqual({ cause: 'not_a_holder', wallet })
  world.chain.held = 1n
  expect(await unseen(answer)).toBe('ok')
  expect(await unseen(answer)).toEqual({ cause: 'nonce_used', wallet })
  world.clock.advance(300_000)
  expect(await unseen(late)).toEqual({ cause: 'nonce_expired', wallet })
})

test('v as 0 or 1 is the same signature as 27 or 28', async () => {
  const world = createSignInWorld()
  const answer = await answerOf(world, alice)
  const v = answer.signature.endsWith('1b') ? '00' : '01'
  expect(
    await outcomeOf(world.signIn.verify({ ...answer, signature: answer.signature.slice(0, -2) + v })),
  ).toBe('ok')
})

test('a chain that cannot be asked is 503, and the challenge stays good', async () => {
  const world = createSignInWorld()
  const answer = await answerOf(world, alice)
  world.chain.isDown = true
  await expect(world.signIn.verify(answer)).rejects.toThrow('no node')
  world.chain.isDown = false
  expect(await outcomeOf(world.signIn.verify(answer))).toBe('ok')
  const signatures = { holds: () => Promise.reject(new Error('no node')) }
  const down = createSignInWorld({ signatures })
  const spoilt = { ...(await answerOf(down, alice)), signature: '0x12' }
  expect(await outcomeOf(down.signIn.verify(spoilt))).toMatch(/^upstream_unavailable/)
})

test('an answer without a challenge of ours asks nothing of the chain', async () => {
  let asked = 0
  const holds = async () => ++asked > 0
  const world = createSignInWorld({ signatures: { holds } })
  const other = createSignInWorld()
  const junk = async (): Promise<Answer[]> => {
    const answer = { ...(await answerOf(world, alice)), signature: '0x12' }
    return [
      { ...answer, nonce: 'f'.repeat(64) },
      { ...answer, wallet: mallory.address },
      { ...answer, message: 'another text' },
      { ...(await answerOf(other, alice)), signature: '0x12' },
    ]
  }
  const answers = await junk()
  const expired = { ...(await answerOf(world, alice)), signature: '0x12' }
  world.clock.advance(300_000)
  for (const answer of [...answers, ...(await junk()), expired])
    expect(await outcomeOf(world.signIn.verify(answer))).toBe(REFUSED)
  expect([asked, world.chain.asked]).toEqual([0, 0])
})

test('a challenge stays good over a rotation of the keys, and ends where they were replaced', async () => {
  const world = createSignInWorld()
  const [one, other] = [await answerOf(world, alice), await answerOf(world, alice)]
  rotateTokenKeys(world.dataDir, world.clock.now())
  world.clock.advance(1_000)
  expect(await outcomeOf(world.signIn.verify(one))).toBe('ok')
  replaceTokenKeys(world.dataDir, world.clock.now())
  world.clock.advance(1_000)
  expect(await outcomeOf(world.signIn.verify(other))).toBe(REFUSED)
})

test('a chain that answers after the end of the challenge is too late', async () => {
  const world: SignInWorld = createSignInWorld({
    signatures: {
      holds: async () => {
        world.clock.advance(1)
        return true
      },
    },
  })
  const answer = { ...(await answerOf(world, alice)), signature: '0x12' }
  world.clock.advance(299_999)
  expect(await outcomeOf(world.signIn.verify(answer))).toBe(REFUSED)
})

test('1,000 sign-ins at once share one table of spent nonces in two processes, and none is lost or counted twice', async () => {
  const dataDir = temporaryDir()
  const file = `${dataDir}/ledger.sqlite`
  const stores = [openSqliteStore(file), openSqliteStore(file)] as const
  const worlds = stores.map(({ signIn }) => createSignInWorld({ book: signIn, dataDir }))
  const at = (n: number) => worlds[n % 2] as (typeof worlds)[number]
  const answers = await Promise.all(Array.from({ length: 1_000 }, (_, n) => answerOf(at(n), alice)))
  // Each is answered in the other process than the one that asked, and once more in that one.
  const outcomes = await Promise.all(
    answers.map((answer, n) =>
      Promise.all([outcomeOf(at(n + 1).signIn.verify(answer)), outcomeOf(at(n).signIn.verify(answer))]),
    ),
  )
  for (const both of outcomes) expect(both.sort()).toEqual(['ok', REFUSED])
  for (const store of stores) await store.close()
}, 60_000)

/** As if it had been made a minute later. */
const later = (nonce: string): string =>
  (Number.parseInt(nonce.slice(0, 12), 16) + 60_000).toString(16).padStart(12, '0') + nonce.slice(12)

function withHighS(signature: string): string {
  const { r, s, yParity } = parseSignature(signature as `0x${string}`)
  const high = `0x${(CURVE_ORDER - BigInt(s)).toString(16).padStart(64, '0')}` as const
  return serializeSignature({ r, s: high, yParity: 1 - yParity })
}

const compact = (signature: string): string =>
  serializeCompactSignature(signatureToCompactSignature(parseSignature(signature as `0x${string}`)))

test('the chain is asked in the name of the client, and a client that is over its limit hears so', async () => {
  const clients: (string | undefined)[] = []
  const holds: SmartWalletSignatures['holds'] = async ({ client }) => {
    clients.push(client)
    if (clients.length > 1) throw new ServiceError('rate_limited', 'too many')
    return false
  }
  const world = createSignInWorld({ signatures: { holds } })
  const bad = async () => ({ ...(await answerOf(world, alice)), signature: `0x${'11'.repeat(70)}` })
  expect(await outcomeOf(world.signIn.verify(await bad(), '203.0.113.9'))).toBe(REFUSED)
  await expect(world.signIn.verify(await bad(), '203.0.113.9')).rejects.toMatchObject({
    code: 'rate_limited',
  })
  expect(clients).toEqual(['203.0.113.9', '203.0.113.9'])
})
