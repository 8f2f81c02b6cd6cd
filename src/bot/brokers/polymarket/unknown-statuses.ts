import type { Log } from '../../../core/log.ts'
import type { TradeView } from '../../../upstreams/polymarket/trading/trading.ts'

const KNOWN = ['MATCHED', 'MINED', 'RETRYING', 'CONFIRMED', 'FAILED']
/** More would be a venue that talks nonsense. */
const MAX_TOLD = 20

/** Tells once of every status of a trade that we do not know. Such a trade counts as matched, and never becomes final. */
export function createUnknownStatuses(log: Pick<Log, 'warn'>): (trades: readonly TradeView[]) => void {
  const told = new Set<string>()
  return (trades) => {
    for (const { status, tradeId } of trades) {
      if (KNOWN.includes(status) || told.has(status) || told.size >= MAX_TOLD) continue
      told.add(status)
      log.warn({ status, tradeId }, 'a trade has a status that we do not know')
    }
  }
}
