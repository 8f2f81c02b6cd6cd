import { atMsOf, type Deed } from '../../../prediction/accounts/holdings.ts'
import type { Holding } from '../../../prediction/accounts/positions.ts'
import type { TradedMarket } from '../../../prediction/accounts/rows.ts'

/** As the venue says that it does not know the outcome. */
const UNKNOWN_OUTCOME = 999

const toWhole = (e6: number | bigint) => Number(e6) / 1e6
const round = (value: number, digits: number) => Number(value.toFixed(digits))

const PERSON = { name: '', pseudonym: '', bio: '', profile_image: '', profile_image_optimized: '' }

function toMarketFields(market: TradedMarket | undefined, tokenId: string | undefined) {
  const index = market && tokenId !== undefined ? market.tokenIds.indexOf(tokenId) : -1
  return {
    outcome_index: index < 0 ? UNKNOWN_OUTCOME : index,
    title: market?.question ?? '',
    slug: market?.slug ?? '',
    icon: '',
    event_slug: market?.eventSlug ?? '',
    outcome: market?.outcomes[index] ?? '',
    ...PERSON,
  }
}

/** A row of `/v2/activity`. The dollars of a trade are what left or reached the wallet, with the taker's fee. */
export function toActivityRow(deed: Deed, market: TradedMarket | undefined) {
  const { trade, event } = deed
  const row = trade ?? event
  const fee = trade ? (trade.side === 'BUY' ? trade.feeE6 : -trade.feeE6) : 0
  return {
    proxy_wallet: row.wallet.toLowerCase(),
    timestamp: Math.floor(atMsOf(deed) / 1000),
    condition_id: row.conditionId,
    type: event?.type ?? 'TRADE',
    size: toWhole(row.sharesE6),
    usdc_size: toWhole(Number(row.collateralE6) + fee),
    transaction_hash: row.transactionHash,
    price: trade ? round(trade.collateralE6 / trade.sharesE6, 10) : 0,
    token_id: row.tokenId ?? '',
    side: trade?.side ?? '',
    ...toMarketFields(market, row.tokenId),
  }
}

/** A row of `/v2/trades`. */
export function toTradeRow(deed: Deed & { trade: object }, market: TradedMarket | undefined) {
  const { type: _type, usdc_size: _dollars, ...row } = toActivityRow(deed, market)
  return row
}

/** A row of `/v2/positions`; `priceOf` is what a share is worth now. */
export function toPositionRow(
  holding: Holding,
  price: number,
  facts: { status: string; isMergeable: boolean },
) {
  const { market, outcomeIndex, costE6, feesE6, realizedE6 } = holding
  const size = toWhole(holding.sharesE6)
  const value = size * price
  const cost = toWhole(costE6)
  const unrealized = holding.sharesE6 > 0n ? value - cost : 0
  const total = unrealized + toWhole(realizedE6)
  const percent = cost > 0 ? round((unrealized / cost) * 100, 4) : 0
  const opposite = outcomeIndex === 0 ? 1 : 0
  return {
    proxy_wallet: holding.wallet.toLowerCase(),
    token_id: holding.tokenId,
    condition_id: market.id,
    current_size: size,
    avg_price: size > 0 ? round(cost / size, 4) : 0,
    entry_cost_usdc: round(cost, 6),
    entry_fees_usdc: toWhole(feesE6),
    total_cost_usdc: round(cost + toWhole(feesE6), 6),
    current_price: price,
    current_value: round(value, 4),
    total_size: toWhole(holding.totalE6),
    realized_pnl: round(toWhole(realizedE6), 4),
    unrealized_pnl: round(unrealized, 4),
    total_pnl: round(total, 4),
    percent_pnl: percent,
    percent_realized_pnl: percent,
    status: facts.status,
    redeemable: facts.status === 'REDEEMABLE' || facts.status === 'REDEEMABLE_LOST',
    mergeable: facts.isMergeable,
    negative_risk: false,
    archived: false,
    title: market.question,
    slug: market.slug,
    icon: '',
    event_id: market.slug,
    event_slug: market.eventSlug,
    outcome: market.outcomes[outcomeIndex],
    outcome_index: outcomeIndex,
    opposite_outcome: market.outcomes[opposite],
    opposite_token_id: market.tokenIds[opposite],
    end_date: new Date(market.endsMs).toISOString().slice(0, 10),
    last_event_at: Math.floor(holding.lastMs / 1000),
    name: '',
    profile_image: '',
    verified: false,
  }
}
