import { generateKeyPairSync, type KeyObject, verify } from 'node:crypto'
import { inspect } from 'node:util'
import { expect, it } from 'vitest'
import { secret } from '../../../core/secret.ts'
import { createManualClock } from '../../../core/time/manual-clock.ts'
import { createBearerAuth } from './bearer-auth.ts'

const NOW_MS = 1_800_000_000_500
const URL_ = new URL('https://api.exchange.example/platform/v2/x402/settle?ignored=1')
const ed25519 = generateKeyPairSync('ed25519')
const p256 = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
const pem = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString()
const bare = (bytes: number) => {
  const { d = '', x = '' } = ed25519.privateKey.export({ format: 'jwk' })
  return Buffer.concat([Buffer.from(d, 'base64url'), Buffer.from(x, 'base64url')])
    .subarray(0, bytes)
    .toString('base64')
}

it.each([
  ['EdDSA', 'PEM', pem(ed25519.privateKey), ed25519.publicKey],
  ['EdDSA', '64 bytes', bare(64), ed25519.publicKey],
  ['EdDSA', '32 bytes', bare(32), ed25519.publicKey],
  ['ES256', 'PEM', pem(p256.privateKey), p256.publicKey],
])('signs a %s token from %s for one method, host and path', (alg, _, key, publicKey) => {
  const auth = createBearerAuth({ clock: createManualClock(NOW_MS), keyId: 'key-1', key: secret(key) })
  const [scheme, token = ''] = (auth('POST', URL_).authorization ?? '').split(' ')
  const [header = '', claims = '', signature = ''] = token.split('.')
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
  expect(scheme).toBe('Bearer')
  expect(read(header)).toMatchObject({
    alg,
    typ: 'JWT',
    kid: 'key-1',
    nonce: expect.stringMatching(/^[0-9a-f]{32}$/),
  })
  expect(read(claims)).toEqual({
    iss: 'cdp',
    sub: 'key-1',
    iat: 1_800_000_000,
    nbf: 1_800_000_000,
    exp: 1_800_000_120,
    uris: ['POST api.exchange.example/platform/v2/x402/settle'],
  })
  const signed = Buffer.from(`${header}.${claims}`)
  const isGood = verify(
    alg === 'EdDSA' ? null : 'sha256',
    signed,
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  expect(isGood).toBe(true)
})

it('never repeats a token', () => {
  const auth = createBearerAuth({ clock: createManualClock(NOW_MS), keyId: 'k', key: secret(bare(32)) })
  expect(auth('GET', URL_).authorization).not.toBe(auth('GET', URL_).authorization)
})

it.each([
  ['a key of another kind', pem(generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).privateKey)],
  ['a key of a wrong length', Buffer.alloc(31, 7).toString('base64')],
])('refuses %s at once, without showing it', (_, key) => {
  const make = () => createBearerAuth({ clock: createManualClock(NOW_MS), keyId: 'k', key: secret(key) })
  expect(make).toThrow(RangeError)
  try {
    make()
  } catch (error) {
    expect(inspect(error)).not.toContain(key.slice(0, 40))
  }
})
