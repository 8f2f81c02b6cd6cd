import type { Page, ScoutTransaction, ScoutTransfer } from '../../upstreams/blockscout/wire.ts'
import type { Part } from '../part.ts'
import type { NodeAccount } from './facts/account.ts'
import type { Movement } from './movements.ts'
import { sentIn, unlistedOf } from './own-transactions.ts'
import type { WalletActivity } from './wallet-analysis.ts'

type Input = {
  wallet: string
  nowMs: number
  account: NodeAccount | undefined
  transfers: Page<ScoutTransfer> | undefined
  transactions: Page<ScoutTransaction> | undefined
  firstTransaction: Part<number | undefined>
  movements: readonly Movement[]
}

export function toActivity(input: Input): WalletActivity {
  const { wallet, nowMs, account, transfers, transactions, firstTransaction, movements } = input
  const unlisted = unlistedOf(input)
  // Who never moved ether got tokens first; only a list that is whole tells when it began.
  const isWhole = transfers?.hasMore === false && unlisted === 0
  const oldest = isWhole ? transfers.rows.map(({ atMs }) => atMs) : []
  const firstSeenMs =
    firstTransaction.status === 'missing'
      ? undefined
      : earliest([firstTransaction.value ?? [], oldest].flat())
  const outgoing = movements.filter(({ direction, isVerified }) => direction === 'out' && isVerified)
  const own = [
    ...sentIn(wallet, transactions).flatMap(({ atMs }) => atMs ?? []),
    ...outgoing.map(({ atMs }) => atMs),
  ]
  const lastActiveMs = own.length === 0 ? undefined : own.reduce((a, b) => Math.max(a, b))
  return {
    firstSeenMs,
    ageMs: sinceMs(nowMs, firstSeenMs),
    lastActiveMs,
    idleMs: sinceMs(nowMs, lastActiveMs),
    sent: account && account.kind !== 'contract' ? account.nonce : undefined,
    outgoing: transfers && outgoing.length,
    hasGap: transactions?.hasMore === false && unlisted > 0,
    recent: movements.filter(({ isEther }) => !isEther).map(toRecent),
  }
}

const toRecent = ({
  hash,
  atMs,
  direction,
  counterparty,
  token,
  symbol,
  decimals,
  units,
  usd,
}: Movement) => ({
  ...{ hash, atMs, direction, counterparty },
  ...{ token, symbol, decimals, units, usd },
})

const earliest = (times: readonly number[]): number | undefined =>
  times.length === 0 ? undefined : times.reduce((a, b) => Math.min(a, b))

/** A source whose clock is ahead must not make a wallet younger than new. */
const sinceMs = (nowMs: number, thenMs: number | undefined): number | undefined =>
  thenMs === undefined ? undefined : Math.max(0, nowMs - thenMs)
