import { MINUTE_MS } from '../../core/time/time.ts'

/** Spent nonces that are kept at the same time. Further ones are refused; none is forgotten before its time. */
export const NONCES_MAX = 250_000

/**
 * So long a spent nonce is kept. Whatever a wallet signs ends sooner, by more than processes may be late or their
 * clocks apart, so that none comes again after it was forgotten.
 */
export const NONCE_KEPT_MS = 7 * MINUTE_MS

/** What sign-in must not forget. Several processes may share it: every step is one transaction, durable when it resolves. */
export type SignInBook = {
  /**
   * Of any number of calls for one nonce exactly one is `spent`, the others `used`. `full`: `room` of them are kept
   * already, so this one cannot be remembered and must not count.
   */
  spendNonce(nonce: string, at: { nowMs: number; room: number }): Promise<'spent' | 'used' | 'full'>
  /** Ends a token before its time. Kept until the token would have expired anyway. */
  revokeToken(id: string, expiresMs: number, nowMs: number): Promise<void>
  /** Ends every token that the wallet got until `nowMs`. Kept until `expiresMs`, when the last of them has expired. */
  revokeWallet(wallet: string, expiresMs: number, nowMs: number): Promise<void>
  /** By itself, or with all tokens of its wallet. */
  isRevoked(token: IssuedToken): Promise<boolean>
}

/** `wallet` is in lower case. */
export type IssuedToken = { id: string; wallet: string; issuedMs: number }
