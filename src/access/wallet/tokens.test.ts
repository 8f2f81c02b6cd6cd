import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { expect, test } from 'vitest'
import { notSignedIn } from '../../account/not-signed-in.ts'
import { TIERS } from '../../account/tiers.ts'
import {
  createSignInWorld,
  outcomeOf,
  type SignInWorld,
  unseenOf,
} from '../../testing/account/sign-in-world.ts'
import { TOKEN_LIFE_MS } from './token-life.ts'
import { createTokens, isTokenId } from './tokens.ts'

const REFUSED = await outcomeOf(Promise.reject(notSignedIn('token_key')))
const wallet = `0x${'b2'.repeat(20)}`
const issue = ({ tokens }: SignInWorld) => tokens.issue(wallet, TIERS[1])
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const bodyOf = (token: string) => token.split('.')[1]

test('a token opens for an hour and not a second longer', async () => {
  const world = createSignInWorld()
  const token = await issue(world)
  expect(await world.tokens.check(token)).toMatchObject({ wallet, tier: TIERS[1] })
  world.clock.advance(3_599_999)
  expect(await outcomeOf(world.tokens.check(token))).toBe('ok')
  world.clock.advance(1)
  expect(await outcomeOf(world.tokens.check(token))).toBe(REFUSED)
})

test('a revoked token opens nothing, another one of the same wallet does', async () => {
  const world = createSignInWorld()
  const [token, other] = [await issue(world), await issue(world)]
  await world.tokens.revoke(await world.tokens.check(token))
  expect(await outcomeOf(world.tokens.check(token))).toBe(REFUSED)
  expect(await outcomeOf(world.tokens.check(other))).toBe('ok')
})

test('all tokens of a wallet end at once; what it gets in a later second opens again', async () => {
  const world = createSignInWorld()
  const [token, second] = [await issue(world), await issue(world)]
  const foreign = await world.tokens.issue(`0x${'c3'.repeat(20)}`, TIERS[1])
  world.clock.advance(1_500)
  const nowMs = world.clock.now()
  await world.book.revokeWallet(wallet, nowMs + TOKEN_LIFE_MS, nowMs)
  expect(await outcomeOf(world.tokens.check(token))).toBe(REFUSED)
  expect(await outcomeOf(world.tokens.check(second))).toBe(REFUSED)
  expect(await outcomeOf(world.tokens.check(foreign))).toBe('ok')
  world.clock.advance(500)
  expect(await outcomeOf(world.tokens.check(await issue(world)))).toBe('ok')
})

test('the id of every token has the form that can be revoked', async () => {
  expect(isTokenId(decodeJwt(await issue(createSignInWorld())).jti ?? '')).toBe(true)
})

test('forged tokens are refused, always with the same words', async () => {
  const world = createSignInWorld()
  const good = await issue(world)
  const { kid, key } = world.keys.signer()
  const publicX = world.keys.published()[0]?.x ?? ''
  const foreign = generateKeyPairSync('ed25519').privateKey
  const claims = decodeJwt(good)
  const signed = (header: object, payload: object, by = key) => {
    const text = `${encode(header)}.${encode(payload)}`
    return `${text}.${sign(null, Buffer.from(text), by).toString('base64url')}`
  }
  const header = decodeProtectedHeader(good)
  const hmacText = `${encode({ ...header, alg: 'HS256' })}.${bodyOf(good)}`
  const hmac = (secret: string | Buffer) => createHmac('sha256', secret).update(hmacText).digest('base64url')
  const without = (name: string) =>
    Object.fromEntries(Object.entries(claims).filter(([each]) => each !== name))
  const forged: Record<string, string> = {
    'alg none': `${encode({ ...header, alg: 'none' })}.${bodyOf(good)}.`,
    'alg None with its signature': good.replace(/^[^.]+/, encode({ ...header, alg: 'None' })),
    'HS256 with the public key': `${hmacText}.${hmac(publicX)}`,
    'HS256 with its bytes': `${hmacText}.${hmac(Buffer.from(publicX, 'base64url'))}`,
    'unknown kid': signed({ ...header, kid: 'unknown' }, claims),
    'no kid': signed({ alg: 'EdDSA' }, claims),
    'a key of its own in the header': signed(
      { ...header, jwk: foreign.export({ format: 'jwk' }) },
      claims,
      foreign,
    ),
    'another key': signed(header, claims, foreign),
    'another tier': `${good.split('.')[0]}.${encode({ ...claims, tier: 'premium' })}.${good.split('.')[2]}`,
    'no such tier': signed(header, { ...claims, tier: 'root' }),
    'another service': signed(header, { ...claims, iss: 'https://evil.example' }),
    'for another service': signed(header, { ...claims, aud: 'https://evil.example' }),
    'for later': signed(header, { ...claims, nbf: (claims.exp ?? 0) + 60 }),
    'another chain': signed(header, { ...claims, sub: `eip155:1:${wallet}` }),
    'never ends': signed(header, without('exp')),
    'has no id': signed(header, without('jti')),
    truncated: good.slice(0, -2),
    'too long': `${good}.${'a'.repeat(5_000)}`,
    empty: '',
    garbage: 'not.a.token',
  }
  for (const [name, token] of Object.entries(forged))
    expect([name, await outcomeOf(world.tokens.check(token))]).toEqual([name, REFUSED])
  expect(await outcomeOf(world.tokens.check(signed({ alg: 'EdDSA', kid }, claims)))).toBe('ok')
})

test('only the log is told what is wrong with a token', async () => {
  const world = createSignInWorld()
  const good = await issue(world)
  const { clock, keys, book } = world
  const elsewhere = createTokens({ clock, keys, book, baseUrl: 'https://other.example' })
  const unseen = (token: string) => unseenOf(world.tokens.check(token))
  expect(await unseen('garbage')).toEqual({ cause: 'token_malformed' })
  expect(await unseen(await issue(createSignInWorld()))).toEqual({ cause: 'token_key' })
  const [head, body, signature = ''] = good.split('.')
  const changed = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`
  expect(await unseen(`${head}.${body}.${changed}`)).toEqual({ cause: 'token_signature' })
  expect(await unseen(await elsewhere.issue(wallet, TIERS[1]))).toEqual({ cause: 'token_claims' })
  const ended = await issue(world)
  await world.tokens.revoke(await world.tokens.check(ended))
  expect(await unseen(ended)).toEqual({ cause: 'token_revoked', wallet })
  clock.advance(TOKEN_LIFE_MS)
  expect(await unseen(good)).toEqual({ cause: 'token_expired', wallet })
})

test('keys that cannot be read are no fault of the token', async () => {
  const world = createSignInWorld()
  const token = await issue(world)
  writeFileSync(join(world.dataDir, 'token-keys.json'), '{}')
  world.clock.advance(1_000)
  await expect(world.tokens.check(token)).rejects.toThrow('token-keys.json is damaged')
})

test('a token of another installation with the same keys is for that one only', async () => {
  const { clock, keys, book, tokens } = createSignInWorld()
  const there = createTokens({ clock, keys, book, baseUrl: 'https://other.example' })
  expect(await outcomeOf(tokens.check(await there.issue(wallet, TIERS[1])))).toBe(REFUSED)
})
