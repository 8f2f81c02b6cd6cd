import type { AccountStore } from './account-store.ts'
import { atMsOf, type Deed, deedsOf } from './holdings.ts'
import type { TradedMarket } from './rows.ts'

/** What a wallet holds or held of one token, at average cost. Amounts are millionths. */
export type Holding = {
  wallet: string
  tokenId: string
  market: TradedMarket
  outcomeIndex: 0 | 1
  /** Exact, however large: nothing left means closed. */
  sharesE6: bigint
  /** Ever acquired. */
  totalE6: bigint
  /** Of the shares that are left, without fees. */
  costE6: number
  feesE6: number
  realizedE6: number
  lastMs: number
}

type Store = Pick<AccountStore, 'trades' | 'events' | 'markets'>

/** Newest first. */
export function holdingsOf(store: Store, wallet: string): readonly Holding[] {
  const holdings = new Map<string, Holding>()
  for (const deed of deedsOf(store, wallet)) {
    const market = store.markets.get(deed.trade?.conditionId ?? deed.event?.conditionId ?? '')
    if (!market) continue
    for (const tokenId of tokensOf(deed, market)) {
      const holding = holdings.get(tokenId) ?? emptyHolding(wallet, tokenId, market)
      holdings.set(tokenId, { ...apply(holding, deed), lastMs: atMsOf(deed) })
    }
  }
  return [...holdings.values()].sort((a, b) => b.lastMs - a.lastMs)
}

const tokensOf = ({ trade, event }: Deed, market: TradedMarket): readonly string[] => {
  if (trade) return [trade.tokenId]
  return event?.type === 'REDEEM' ? [event.tokenId ?? ''] : market.tokenIds
}

const emptyHolding = (wallet: string, tokenId: string, market: TradedMarket): Holding => ({
  wallet,
  tokenId,
  market,
  outcomeIndex: market.tokenIds[1] === tokenId ? 1 : 0,
  ...{ sharesE6: 0n, totalE6: 0n, costE6: 0, feesE6: 0, realizedE6: 0, lastMs: 0 },
})

function apply(holding: Holding, { trade, event }: Deed): Holding {
  const sharesE6 = BigInt((trade ?? event).sharesE6)
  if (trade?.side === 'BUY') return gain(holding, sharesE6, trade.collateralE6, trade.feeE6)
  if (trade) return give(holding, sharesE6, trade.collateralE6 - trade.feeE6)
  const collateralE6 = Number(event.collateralE6)
  if (event.type === 'REDEEM') return give(holding, sharesE6, collateralE6)
  // A full set is worth a dollar: half of it counts for each outcome.
  const half = collateralE6 / 2
  return event.type === 'SPLIT' ? gain(holding, sharesE6, half, 0) : give(holding, sharesE6, half)
}

const gain = (holding: Holding, sharesE6: bigint, costE6: number, feeE6: number): Holding => ({
  ...holding,
  sharesE6: holding.sharesE6 + sharesE6,
  totalE6: holding.totalE6 + sharesE6,
  costE6: holding.costE6 + costE6,
  feesE6: holding.feesE6 + feeE6,
})

/** What goes takes its part of the cost along. */
function give(holding: Holding, sharesE6: bigint, proceedsE6: number): Holding {
  const left = holding.sharesE6 > sharesE6 ? holding.sharesE6 - sharesE6 : 0n
  const costE6 = left === 0n ? holding.costE6 : holding.costE6 * (Number(sharesE6) / Number(holding.sharesE6))
  return {
    ...holding,
    sharesE6: left,
    costE6: holding.costE6 - costE6,
    realizedE6: holding.realizedE6 + proceedsE6 - costE6,
  }
}
