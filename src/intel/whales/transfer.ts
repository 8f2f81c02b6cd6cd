import type { WatchedToken } from './thresholds.ts'

export const CHAINS = ['bitcoin', 'base'] as const
export type Chain = (typeof CHAINS)[number]

/**
 * `internal` stays with one exchange. `unlabelled` is between addresses that our list of exchanges does not have: they
 * may be anybody's, also an exchange's.
 */
export const TRANSFER_KINDS = [
  'to_exchange',
  'from_exchange',
  'between_exchanges',
  'internal',
  'mint',
  'burn',
  'unlabelled',
] as const
export type TransferKind = (typeof TRANSFER_KINDS)[number]

/** What one transaction moved of one token from one owner to others. */
export type LargeTransfer = {
  /** The transaction; with the token it is unique. */
  hash: string
  chain: Chain
  token: WatchedToken
  amount: number
  usd: number
  /** The address that gave most, and the one that got most. */
  from: string | undefined
  to: string | undefined
  fromExchange: string | undefined
  toExchange: string | undefined
  kind: TransferKind
  isConfirmed: boolean
  atMs: number
}

/** The exchange that an address is known to belong to. */
export type FindExchange = (chain: Chain, address: string) => string | undefined
