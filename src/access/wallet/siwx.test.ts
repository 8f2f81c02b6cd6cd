import { base58 } from '@scure/base'
import { createKeyPairSignerFromPrivateKeyBytes } from '@solana/kit'
import { createSIWxPayload, encodeSIWxHeader } from '@x402/extensions/sign-in-with-x'
import { parseSiweMessage } from 'viem/siwe'
import { describe, expect, test } from 'vitest'
import { notSignedIn } from '../../account/not-signed-in.ts'
import type { SignInBook } from '../../ledger/ports/sign-in-book.ts'
import { EVM_NETWORK, SVM_NETWORK } from '../../payments/challenge/terms.ts'
import {
  answerOf,
  BASE_URL,
  createSignInWorld,
  newWallet,
  outcomeOf,
} from '../../testing/account/sign-in-world.ts'
import {
  createMemorySignInBook,
  createMemorySignInRows,
} from '../../testing/ledger/sign-in/memory-sign-in-book.ts'
import { STRANGERS_ROOM } from './spend-nonce.ts'

const REFUSED = await outcomeOf(Promise.reject(notSignedIn('signature')))
const evm = newWallet()
const svm = await createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(7))

function world(options: Parameters<typeof createSignInWorld>[0] = {}) {
  const { clock, signIn, paid, checkProof: check } = createSignInWorld(options)
  const info = (given: object = {}) => ({
    domain: 'tollbook.example',
    uri: `${BASE_URL}/account/receipts`,
    version: '1',
    nonce: 'abcdefgh12345678',
    issuedAt: new Date(clock.now()).toISOString(),
    chainId: EVM_NETWORK,
    type: 'eip191' as const,
    ...given,
  })
  /** As the stock library signs; it looks at the origin itself, so it is told the one that the text names. */
  const payload = (given: { uri?: string } = {}, signer: object = evm) =>
    createSIWxPayload(info(given) as never, signer as never, given.uri ?? BASE_URL)
  const header = async (given: object = {}, signer: object = evm) =>
    encodeSIWxHeader(await payload(given, signer))
  return { clock, check, payload, header, signIn, paid }
}

const onSolana = { chainId: SVM_NETWORK, type: 'ed25519' }
const more = {
  statement: 'Show what I bought.',
  expirationTime: '2026-01-05T12:05:00.000Z',
  notBefore: '2026-01-05T11:59:00Z',
  requestId: 'r-1',
  resources: ['https://tollbook.example/a', 'https://tollbook.example/b'],
}

describe('what the stock library signs is good, once', () => {
  test.each([
    ['on Base', {}],
    ['on Base with everything', more],
  ])('%s', async (_, given) => {
    const { check, header } = world()
    const sent = await header(given)
    expect(await check(sent)).toEqual({ wallet: evm.address.toLowerCase(), network: EVM_NETWORK })
    expect(await outcomeOf(check(sent))).toBe(REFUSED)
    expect(await outcomeOf(check(await header({ ...given, nonce: 'another1' })))).toBe('ok')
  })
  test.each([
    ['on Solana', onSolana],
    ['on Solana with everything', { ...more, ...onSolana }],
  ])('%s', async (_, given) => {
    const { check, header } = world()
    const sent = await header(given, svm)
    expect(await check(sent)).toEqual({ wallet: svm.address, network: SVM_NETWORK })
    expect(await outcomeOf(check(sent))).toBe(REFUSED)
  })
})

test('two wallets may have chosen the same nonce', async () => {
  const { check, header } = world()
  expect(await outcomeOf(check(await header()))).toBe('ok')
  expect(await outcomeOf(check(await header({}, newWallet())))).toBe('ok')
})

test('it is good for five minutes', async () => {
  const { clock, check, header } = world()
  const [first, second] = [await header({ nonce: 'firstone' }), await header({ nonce: 'secondone' })]
  clock.advance(299_999)
  expect(await outcomeOf(check(first))).toBe('ok')
  clock.advance(1)
  expect(await outcomeOf(check(second))).toBe(REFUSED)
})

test('a smart wallet that is asked about over the end of its proof is refused', async () => {
  const asked: (() => void)[] = []
  const holds = () => new Promise<boolean>((resolve) => void asked.push(() => resolve(true)))
  const { clock, check, payload } = world({ signatures: { holds } })
  const proof = await payload()
  const sent = encodeSIWxHeader({ ...proof, address: newWallet().address } as never)
  clock.advance(299_999)
  const late = outcomeOf(check(sent))
  clock.advance(1)
  for (const answer of asked) answer()
  expect([asked.length, await late]).toEqual([1, REFUSED])
})

test('a signature for the token of a holder is no proof as well, and the other way round', async () => {
  const { check, signIn } = world()
  const sign = async () => {
    const { nonce, message } = signIn.challenge(evm.address)
    const parsed = parseSiweMessage(message)
    const signature = await evm.signMessage({ message })
    const proof = encodeSIWxHeader({
      ...parsed,
      chainId: EVM_NETWORK,
      type: 'eip191',
      issuedAt: parsed.issuedAt?.toISOString(),
      expirationTime: parsed.expirationTime?.toISOString(),
      signature,
    } as never)
    return { proof, answer: { wallet: evm.address, nonce, signature } }
  }
  const [one, other] = [await sign(), await sign()]
  expect(await outcomeOf(signIn.verify(one.answer))).toBe('ok')
  expect(await outcomeOf(check(one.proof))).toBe(REFUSED)
  expect(await outcomeOf(check(other.proof))).toBe('ok')
  expect(await outcomeOf(signIn.verify(other.answer))).toBe(REFUSED)
})

test('where strangers have used up their room, those who paid or hold the token still sign in', async () => {
  const book: SignInBook = {
    ...createMemorySignInBook(createMemorySignInRows()),
    spendNonce: async (_, { room }) => (room > STRANGERS_ROOM ? 'spent' : 'full'),
  }
  const { check, header, paid, signIn } = world({ book })
  expect(await outcomeOf(check(await header()))).toMatch(/^store_unavailable/)
  expect(await outcomeOf(signIn.verify(await answerOf({ signIn }, evm)))).toBe('ok')
  paid.add(evm.address.toLowerCase())
  expect(await outcomeOf(check(await header()))).toBe('ok')
})

test('what is not good is refused with one text, and uses up no nonce', async () => {
  const { check, header, payload } = world()
  const good = await payload()
  const spoil = (given: object) => encodeSIWxHeader({ ...good, ...given } as never)
  const evil = 'https://evil.example'
  const ofSolana = await payload(onSolana as object, svm)
  const short = base58.encode(base58.decode(ofSolana.signature).slice(1))
  const spoilt: Record<string, string> = {
    'another domain': await header({ domain: 'evil.example', uri: evil }),
    'our domain and another origin': spoil({ uri: evil }),
    'another domain afterwards': spoil({ domain: 'evil.example' }),
    'another wallet': spoil({ address: newWallet().address }),
    'another nonce': spoil({ nonce: 'ffffffff' }),
    'another time': spoil({ issuedAt: '2026-01-05T12:00:00.001Z' }),
    'another chain': await header({ chainId: 'eip155:1' }),
    'of tomorrow': await header({ issuedAt: '2026-01-06T12:00:00.000Z' }),
    'not good yet': await header({ notBefore: '2026-01-05T12:00:01.000Z' }),
    'ended already': await header({ expirationTime: '2026-01-05T12:00:00.000Z' }),
    'the type of the other chain': spoil({ type: 'ed25519' }),
    'a line more': spoil({ statement: 'a\nURI: https://tollbook.example' }),
    'a signature that is truncated': spoil({ signature: good.signature.slice(0, -2) }),
    'no signature': spoil({ signature: '' }),
    'Solana: another wallet': encodeSIWxHeader({
      ...ofSolana,
      address: base58.encode(new Uint8Array(32).fill(9)),
    }),
    'Solana: truncated': encodeSIWxHeader({ ...ofSolana, signature: short }),
    'Solana: no base58': encodeSIWxHeader({ ...ofSolana, signature: '0OIl' }),
    'no base64': '%%%',
    'no JSON': Buffer.from('{').toString('base64'),
    'too long': 'a'.repeat(20_000),
  }
  for (const [name, sent] of Object.entries(spoilt))
    expect([name, await outcomeOf(check(sent))]).toEqual([name, REFUSED])
  expect(await outcomeOf(check(encodeSIWxHeader(good)))).toBe('ok')
})
