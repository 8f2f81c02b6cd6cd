import { type KeyObject, randomBytes } from 'node:crypto'
import { decodeProtectedHeader, errors, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import { type Address, getAddress } from 'viem'
import { CHAIN_ID } from '../../account/challenge-text.ts'
import { notSignedIn } from '../../account/not-signed-in.ts'
import { findTier, type Tier } from '../../account/tiers.ts'
import type { ServiceError } from '../../core/service-error.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { SignInBook } from '../../ledger/ports/sign-in-book.ts'
import type { TokenKeys } from './token-keys.ts'
import { TOKEN_LIFE_MS } from './token-life.ts'

/** What a good token says. */
export type TokenFacts = { wallet: string; tier: Tier; id: string; issuedMs: number; expiresMs: number }
export type Tokens = {
  issue(wallet: string, tier: Tier): Promise<string>
  /** Throws `unauthorized`, always with the same text, unless we issued it and it still holds. */
  check(token: string): Promise<TokenFacts>
  revoke(token: Pick<TokenFacts, 'id' | 'expiresMs'>): Promise<void>
}

type Ports = {
  clock: Clock
  keys: TokenKeys
  book: Pick<SignInBook, 'revokeToken' | 'isRevoked'>
  /** Who issues the token, and for whom it is meant. */
  baseUrl: string
}

const ALGORITHM = 'EdDSA'
const ID_BYTES = 16
/** In base64url. */
const ID = /^[\w-]{22}$/
/** Whether a token of ours can have this id. */
export const isTokenId = (text: string): boolean => ID.test(text)
/** About three times the length of ours. */
const MAX_CHARS = 2_048
const CLAIMS = ['iss', 'aud', 'sub', 'iat', 'exp', 'jti', 'tier']
/** CAIP-10: a wallet is an address on a chain. */
const SUBJECT = new RegExp(`^eip155:${CHAIN_ID}:(0x[0-9a-fA-F]{40})$`)

export function createTokens({ clock, keys, book, baseUrl }: Ports): Tokens {
  const nowS = () => Math.floor(clock.now() / 1000)
  // Apart from what is wrong with a token: keys that cannot be read are our own fault, and no 401.
  const findKey = (token: string): KeyObject => {
    const kid = kidOf(token)
    if (kid === undefined) throw notSignedIn('token_malformed')
    const key = keys.find(kid)
    if (!key) throw notSignedIn('token_key')
    return key
  }
  const readClaims = async (token: string, key: KeyObject): Promise<JWTPayload> => {
    const { payload } = await jwtVerify(token, key, {
      algorithms: [ALGORITHM],
      issuer: baseUrl,
      audience: baseUrl,
      requiredClaims: CLAIMS,
      currentDate: new Date(clock.now()),
    })
    return payload
  }
  return {
    issue(wallet, tier) {
      const { kid, key } = keys.signer()
      return new SignJWT({ tier: tier.name })
        .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT', kid })
        .setIssuer(baseUrl)
        .setAudience(baseUrl)
        .setSubject(`eip155:${CHAIN_ID}:${getAddress(wallet as Address)}`)
        .setIssuedAt(nowS())
        .setExpirationTime(nowS() + TOKEN_LIFE_MS / 1000)
        .setJti(randomBytes(ID_BYTES).toString('base64url'))
        .sign(key)
    },
    async check(token) {
      if (token.length > MAX_CHARS) throw notSignedIn('token_malformed')
      // Nothing but the token can be at fault here, and what is wrong with it is not told.
      const claims = await readClaims(token, findKey(token)).catch((error: unknown) => {
        throw refusalOf(error)
      })
      const facts = toFacts(claims)
      if (!facts) throw notSignedIn('token_claims')
      if (await book.isRevoked(facts)) throw notSignedIn('token_revoked', facts.wallet)
      return facts
    },
    revoke: ({ id, expiresMs }) => book.revokeToken(id, expiresMs, clock.now()),
  }
}

function kidOf(token: string): string | undefined {
  try {
    return decodeProtectedHeader(token).kid
  } catch {
    return undefined
  }
}

function refusalOf(error: unknown): ServiceError {
  // Signed by us: the claims are looked at after the signature.
  if (error instanceof errors.JWTExpired) return notSignedIn('token_expired', walletOf(error.payload))
  if (error instanceof errors.JWTClaimValidationFailed) return notSignedIn('token_claims')
  if (error instanceof errors.JWSSignatureVerificationFailed) return notSignedIn('token_signature')
  return notSignedIn('token_malformed')
}

const walletOf = ({ sub = '' }: JWTPayload) => SUBJECT.exec(sub)?.[1]?.toLowerCase()

function toFacts(claims: JWTPayload): TokenFacts | undefined {
  const { jti, iat, exp, tier: name } = claims
  const wallet = walletOf(claims)
  const tier = findTier(name)
  if (wallet === undefined || !tier || jti === undefined || iat === undefined || exp === undefined)
    return undefined
  return { wallet, tier, id: jti, issuedMs: iat * 1000, expiresMs: exp * 1000 }
}
