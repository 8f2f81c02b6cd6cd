import type { AccountStore } from './account-store.ts'
import { isSameAddress } from './api-keys.ts'
import type { AccountEvent, AccountTrade } from './rows.ts'

export type Deed = { trade: AccountTrade; event?: never } | { event: AccountEvent; trade?: never }

export const atMsOf = ({ trade, event }: Deed): number => trade?.matchedMs ?? event?.atMs ?? 0
export const seqOf = ({ trade, event }: Deed): number => trade?.seq ?? event?.seq ?? 0

/** Everything that moved shares or money of a wallet, oldest first; of every wallet where none is named. */
export function deedsOf(store: Pick<AccountStore, 'trades' | 'events'>, wallet?: string): Deed[] {
  const isOf = (row: { wallet: string }) => wallet === undefined || isSameAddress(row.wallet, wallet)
  const isMoved = ({ status }: AccountTrade) => status === 'MINED' || status === 'CONFIRMED'
  const trades = store.trades.all().flatMap((trade) => (isOf(trade) && isMoved(trade) ? [{ trade }] : []))
  const events = store.events.all().flatMap((event) => (isOf(event) ? [{ event }] : []))
  return [...trades, ...events].sort((a, b) => atMsOf(a) - atMsOf(b) || seqOf(a) - seqOf(b))
}
