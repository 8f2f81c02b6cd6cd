import type { Page, ScoutTransaction } from '../../upstreams/blockscout/wire.ts'
import type { NodeAccount } from './facts/account.ts'

type Input = {
  wallet: string
  account: NodeAccount | undefined
  transactions: Page<ScoutTransaction> | undefined
}

/** Transactions that the chain counts and the explorer does not list. A contract's count is of what it made. */
export function unlistedOf({ wallet, account, transactions }: Input): number {
  if (!account || account.kind === 'contract') return 0
  return Math.max(0, account.nonce - sentIn(wallet, transactions).length)
}

export const sentIn = (wallet: string, transactions: Page<ScoutTransaction> | undefined) =>
  transactions?.rows.filter(({ from }) => from.address === wallet) ?? []

/**
 * From when on everything that the wallet sent is listed; undefined where nobody can tell. Contracts, and accounts that
 * a contract acts for, do everything in transactions of others.
 */
export function listedSinceMs(input: Input): number | undefined {
  const { wallet, account, transactions } = input
  if (account?.kind !== 'account' || !transactions) return undefined
  if (!transactions.hasMore) return unlistedOf(input) === 0 ? 0 : undefined
  const times = sentIn(wallet, transactions).flatMap(({ atMs }) => atMs ?? [])
  return times.length === 0 ? undefined : times.reduce((a, b) => Math.min(a, b))
}
