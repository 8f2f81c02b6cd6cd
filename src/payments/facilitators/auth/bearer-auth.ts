import { createPrivateKey, type KeyObject, randomBytes, sign } from 'node:crypto'
import type { Secret } from '../../../core/secret.ts'
import { privateKeyOf } from '../../../core/signing/ed25519.ts'
import { signCompactJws, toJwsPart } from '../../../core/signing/jws.ts'
import type { Clock } from '../../../core/time/clock.ts'
import type { FacilitatorAuth } from '../members/http-member.ts'

/** Long enough for clocks that differ a little, short enough that a leaked one is useless. */
const LIFE_S = 120
const ED25519_SEED_BYTES = 32

export type BearerAuthOptions = {
  clock: Clock
  keyId: string
  /** An EC P-256 or Ed25519 key in PEM, or an Ed25519 key as base64 of 32 or 64 bytes. */
  key: Secret
  issuer?: string
}

/** One JWT per call, bound to its method, host and path, as the exchange-run facilitator requires. */
export function createBearerAuth({ clock, keyId, key, issuer = 'cdp' }: BearerAuthOptions): FacilitatorAuth {
  const privateKey = parseKey(key.reveal())
  const alg = privateKey.asymmetricKeyType === 'ed25519' ? 'EdDSA' : 'ES256'
  return (method, url) => {
    const nowS = Math.floor(clock.now() / 1000)
    const header = { alg, typ: 'JWT', kid: keyId, nonce: randomBytes(16).toString('hex') }
    const claims = {
      iss: issuer,
      sub: keyId,
      iat: nowS,
      nbf: nowS,
      exp: nowS + LIFE_S,
      uris: [`${method} ${url.host}${url.pathname}`],
    }
    const jwt = signCompactJws(encode(header), encode(claims), (text) => signWith(privateKey, text))
    return { authorization: `Bearer ${jwt}` }
  }
}

/** JWS wants the two numbers of an ECDSA signature side by side, not in DER (RFC 7518, section 3.4). */
function signWith(key: KeyObject, text: string): Buffer {
  const bytes = Buffer.from(text)
  return key.asymmetricKeyType === 'ed25519'
    ? sign(null, bytes, key)
    : sign('sha256', bytes, { key, dsaEncoding: 'ieee-p1363' })
}

/** Throws on a key that neither algorithm can use, without showing it. */
function parseKey(text: string): KeyObject {
  const key = text.includes('-----BEGIN') ? createPrivateKey(text) : fromSeed(text)
  const isP256 = key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1'
  if (!isP256 && key.asymmetricKeyType !== 'ed25519')
    throw new RangeError('a facilitator key must be Ed25519 or EC P-256')
  return key
}

/** The last 32 of 64 bytes are the public key, which follows from the seed. */
function fromSeed(base64: string): KeyObject {
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.length !== ED25519_SEED_BYTES && bytes.length !== 2 * ED25519_SEED_BYTES)
    throw new RangeError('a facilitator key must be PEM, or base64 of an Ed25519 key')
  return privateKeyOf(bytes.subarray(0, ED25519_SEED_BYTES))
}

const encode = (part: object): string => toJwsPart(JSON.stringify(part))
