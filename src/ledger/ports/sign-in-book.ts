/** A challenge that one wallet may answer once, until it expires. */
export type NonceRow = { nonce: string; wallet: string; issuedMs: number; expiresMs: number }

/** Challenges and spent nonces that may wait for their end at the same time. Further ones are refused, not forgotten. */
export const NONCES_MAX = 250_000

/** What sign-in must not forget. Several processes may share it: every step is one transaction, durable when it resolves. */
export type SignInBook = {
  /** Forgets what has expired. False where there is no room, and nothing is written. */
  addNonce(row: NonceRow, nowMs: number): Promise<boolean>
  findNonce(nonce: string): Promise<NonceRow | undefined>
  /** Of any number of calls for one nonce exactly one is true, and none once it has expired. */
  useNonce(nonce: string, nowMs: number): Promise<boolean>
  /**
   * For a nonce that its signer brought along, which must not come again before it expires. `used`: it did;
   * `full`: there is no room to remember it, so it must not count.
   */
  spendNonce(nonce: string, expiresMs: number, nowMs: number): Promise<'spent' | 'used' | 'full'>
  /** Ends a token before its time. Kept until the token would have expired anyway. */
  revokeToken(id: string, expiresMs: number, nowMs: number): Promise<void>
  isRevoked(id: string): Promise<boolean>
}
