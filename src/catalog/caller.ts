import type { Access, Scope } from './access.ts'

/** Who is calling, as far as the access of an endpoint establishes it. `client` is an IPv4 address or an IPv6 /64. */
export type Callers = {
  free: { kind: 'free'; client: string }
  /** A paid handler never learns who pays. */
  paid: never
  wallet: {
    kind: 'wallet'
    client: string
    /** In lower case. */
    wallet: string
    tier: string
    token: { id: string; expiresMs: number }
  }
  /** `wallet` as the ledger has payers: in lower case on Base, as it is on Solana. */
  payer: { kind: 'payer'; client: string; wallet: string; network: string }
  /** `by` is the label of the key, for rows that keep who did something. */
  operator: { kind: 'operator'; client: string; scope: Scope; by: string }
}
export type Caller = Callers[Access['kind']]
export type CallerOf<A extends Access> = Callers[A['kind']]
