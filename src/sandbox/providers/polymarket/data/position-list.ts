import { type Holding, holdingsOf } from '../../../prediction/accounts/positions.ts'
import type { TradingAccounts } from '../../../prediction/accounts/trading-accounts.ts'
import { toPositionRow } from './rows.ts'

export const POSITION_STATES = ['OPEN', 'REDEEMABLE', 'REDEEMABLE_LOST', 'MERGEABLE', 'CLOSED'] as const
export type PositionState = (typeof POSITION_STATES)[number]

/** Positions of a wallet, newest first; without a state those that still hold shares. */
export function positionsOf(accounts: TradingAccounts, wallet: string, wanted: PositionState | undefined) {
  const holdings = holdingsOf(accounts.store, wallet)
  const held = new Set(holdings.filter(({ sharesE6 }) => sharesE6 > 0n).map(({ tokenId }) => tokenId))
  return holdings.flatMap((holding) => {
    const status = statusOf(holding)
    const isMergeable = holding.market.tokenIds.every((tokenId) => held.has(tokenId))
    const isWanted = wanted === 'MERGEABLE' ? isMergeable : wanted ? status === wanted : status !== 'CLOSED'
    return isWanted ? [toPositionRow(holding, priceOf(accounts, holding), { status, isMergeable })] : []
  })
}

function statusOf({ sharesE6, market, outcomeIndex }: Holding): PositionState {
  if (sharesE6 === 0n) return 'CLOSED'
  if (market.winner === undefined) return 'OPEN'
  return market.winner === outcomeIndex ? 'REDEEMABLE' : 'REDEEMABLE_LOST'
}

/** What it pays once that is known; before, the middle of the book, or where one side is empty the last trade. */
function priceOf({ venue }: TradingAccounts, { market, tokenId, outcomeIndex }: Holding): number {
  if (market.winner !== undefined) return market.winner === outcomeIndex ? 1 : 0
  const book = venue.book(tokenId)
  const [bid, ask] = [book?.bids[0]?.[0], book?.asks[0]?.[0]]
  if (bid !== undefined && ask !== undefined) return (bid + ask) / 2 / 1e4
  return (bid ?? ask ?? venue.findByToken(tokenId)?.lastTradeE4 ?? 5_000) / 1e4
}
