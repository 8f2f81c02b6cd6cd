import type { Access, Scope } from './access.ts'

/** Who is calling, as far as the access of an endpoint establishes it. `client` is an IPv4 address or an IPv6 /64. */
export type Callers = {
  free: { kind: 'free'; client: string }
  /** A paid handler never learns who pays. */
  paid: never
  wallet: { kind: 'wallet'; client: string; wallet: string; tier: string }
  operator: { kind: 'operator'; client: string; scope: Scope }
}
export type Caller = Callers[Access['kind']]
export type CallerOf<A extends Access> = Callers[A['kind']]
