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

/** Shares in millionths that a wallet holds of a token by what it did. */
export function sharesOf(
  store: Pick<AccountStore, 'trades' | 'events' | 'markets'>,
  wallet: string,
  tokenId: string,
): number {
  let shares = 0
  for (const { trade, event } of deedsOf(store, wallet)) {
    if (trade?.tokenId === tokenId) shares += trade.side === 'BUY' ? trade.sharesE6 : -trade.sharesE6
    if (event) shares += changeOf(event, tokenId, store.markets.get(event.conditionId)?.tokenIds)
  }
  return shares
}

/** A split gives both tokens, a merge takes both, a redeem takes the one that it names. */
function changeOf(event: AccountEvent, tokenId: string, pair: readonly string[] | undefined): number {
  if (event.type === 'REDEEM') return event.tokenId === tokenId ? -event.sharesE6 : 0
  if (!pair?.includes(tokenId)) return 0
  return event.type === 'SPLIT' ? event.sharesE6 : -event.sharesE6
}
