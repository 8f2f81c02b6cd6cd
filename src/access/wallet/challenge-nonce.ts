import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { ChallengeFacts } from '../../account/challenge-text.ts'
import { MINUTE_MS } from '../../core/time/time.ts'
import type { TokenKeys } from './token-keys.ts'

/** Challenges that say themselves that they are ours: nothing is kept of one that nobody answers. */
export type ChallengeNonces = {
  make(wallet: string, nowMs: number): ChallengeFacts
  /** What is wrong with it, unless it was made here, for this wallet, and has not expired. `wallet` is in lower case. */
  open(
    nonce: string,
    wallet: string,
    nowMs: number,
  ): ChallengeFacts | { fault: 'nonce_unknown' | 'nonce_expired' }
}

type Ports = { keys: Pick<TokenKeys, 'nonceSecrets'>; baseUrl: string }

const CHALLENGE_LIFE_MS = 5 * MINUTE_MS
/** Another process may have made it by a clock that is ahead of ours. */
const AHEAD_MS = 5_000
/** Of milliseconds since 1970. */
const TIME_BYTES = 6
const RANDOM_BYTES = 10
const MAC_BYTES = 16
const HEAD_DIGITS = 2 * (TIME_BYTES + RANDOM_BYTES)
/** In lower case only: a nonce has one form, so that it is spent in every form. EIP-4361 allows letters and digits. */
const FORM = new RegExp(`^[0-9a-f]{${HEAD_DIGITS + 2 * MAC_BYTES}}$`)

/** A nonce is its time, something random, and a code over both, the wallet and the service. */
export function createChallengeNonces({ keys, baseUrl }: Ports): ChallengeNonces {
  const codeOf = (secret: Buffer, head: string, wallet: string) =>
    createHmac('sha256', secret).update(`${baseUrl}\n${wallet}\n${head}`).digest().subarray(0, MAC_BYTES)
  const toFacts = (nonce: string, wallet: string): ChallengeFacts => {
    const issuedMs = Number.parseInt(nonce.slice(0, 2 * TIME_BYTES), 16)
    return { nonce, wallet, issuedMs, expiresMs: issuedMs + CHALLENGE_LIFE_MS }
  }
  return {
    make(wallet, nowMs) {
      const time = nowMs.toString(16).padStart(2 * TIME_BYTES, '0')
      const head = time + randomBytes(RANDOM_BYTES).toString('hex')
      const [secret] = keys.nonceSecrets()
      return toFacts(head + codeOf(secret, head, wallet).toString('hex'), wallet)
    },
    open(nonce, wallet, nowMs) {
      if (!FORM.test(nonce)) return { fault: 'nonce_unknown' }
      const facts = toFacts(nonce, wallet)
      const [head, code] = [nonce.slice(0, HEAD_DIGITS), Buffer.from(nonce.slice(HEAD_DIGITS), 'hex')]
      const isOurs = keys.nonceSecrets().some((secret) => timingSafeEqual(codeOf(secret, head, wallet), code))
      if (!isOurs || facts.issuedMs > nowMs + AHEAD_MS) return { fault: 'nonce_unknown' }
      return facts.expiresMs <= nowMs ? { fault: 'nonce_expired' } : facts
    },
  }
}
