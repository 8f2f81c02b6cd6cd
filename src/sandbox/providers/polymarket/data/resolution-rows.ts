import type { TradingAccounts } from '../../../prediction/accounts/trading-accounts.ts'
import type { VenueMarket } from '../../../prediction/venue.ts'

const WHOLE = 1_000_000
/** What the venue's chain makes in a second, for block numbers that rise. */
const BLOCK_MS = 2_000

const toIso = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`

/** A market that accounts traded is kept longer than the venue lists it. */
function findMarket({ venue, store }: TradingAccounts, conditionId: string) {
  const kept = store.markets.get(conditionId)
  const state: VenueMarket['state'] = kept?.winner === undefined ? 'closed' : 'resolved'
  return (
    venue.findByCondition(conditionId) ??
    (kept && { winner: kept.winner, resolvedMs: kept.resolvedMs, state })
  )
}

/** Rows of `/v2/resolutions`; a market that nobody knows has none. */
export function resolutionsOf(accounts: TradingAccounts, conditions: readonly string[]) {
  const { venue } = accounts
  return conditions.flatMap((conditionId) => {
    const market = findMarket(accounts, conditionId)
    if (!market) return []
    const { winner, resolvedMs, state } = market
    const isResolved = state === 'resolved' && winner !== undefined
    const atMs = resolvedMs ?? venue.nowMs()
    return [
      {
        condition_id: conditionId,
        status: isResolved ? 'resolved' : state === 'disputed' ? 'disputed' : 'initialized',
        extended_review: false,
        was_disputed: state === 'disputed',
        new_version_q: false,
        transaction_hash: '',
        log_index: '',
        last_update_timestamp: toIso(atMs),
        payouts: isResolved ? (winner === 0 ? [WHOLE, 0] : [0, WHOLE]) : [],
        resolution_source: isResolved ? 'reported' : '',
        was_arbitrated: false,
        resolved_block: isResolved ? Math.floor(atMs / BLOCK_MS) : null,
        resolved_at: isResolved ? toIso(atMs) : null,
      },
    ]
  })
}

/** `/v2/status`: nothing here lags. */
export function statusOf({ venue }: TradingAccounts) {
  const block = Math.floor(venue.nowMs() / BLOCK_MS)
  return {
    computed_at: toIso(venue.nowMs()),
    age_seconds: 0,
    serving: {
      lag_seconds: 0,
      worst: 'activity_feed',
      mechanisms: [
        { name: 'activity_feed', age_seconds: 0 },
        { name: 'custody_balances', age_seconds: 0, blocks_behind: 0 },
        { name: 'pnl', age_seconds: 0, blocks_behind: 0 },
      ],
    },
    ingestion: {
      cursors: 1,
      network: 'polygon',
      chain_id: 137,
      max_synced_block: block,
      min_synced_block: block,
      most_lagged: { source: 'sandbox', block, behind_max: 0 },
      lagging: [],
    },
  }
}
