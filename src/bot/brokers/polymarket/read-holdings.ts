import type { Clock } from '../../../core/time/clock.ts'
import { HOUR_MS } from '../../../core/time/time.ts'
import type { PolyData } from '../../../upstreams/polymarket/data/client.ts'
import type { Trading } from '../../../upstreams/polymarket/trading/trading.ts'
import type { Holding } from '../broker.ts'

export type HoldingPorts = {
  clock: Clock
  trading: Pick<Trading, 'trades' | 'sharesE6'>
  data: Pick<PolyData, 'positions'>
  wallet: string
}

/** The list of positions lies behind the chain; what was traded within this time is known from the trades. */
const LIST_LAG_MS = HOUR_MS
const READS_AT_ONCE = 5

/** Which tokens there are is told by lists, how many shares of each by its balance, which is exact. Lost ones are left out. */
export async function readHoldings({
  clock,
  trading,
  data,
  wallet,
}: HoldingPorts): Promise<readonly Holding[]> {
  const lists = await Promise.all([
    data.positions(wallet, 'OPEN'),
    data.positions(wallet, 'REDEEMABLE'),
    trading.trades(clock.now() - LIST_LAG_MS),
  ])
  const tokens = new Map(lists.flat().map(({ tokenId, conditionId }) => [tokenId, conditionId]))
  const waiting = [...tokens]
  const holdings: Holding[] = []
  while (waiting.length > 0) {
    const read = waiting.splice(0, READS_AT_ONCE).map(async ([tokenId, conditionId]) => ({
      ...{ conditionId, tokenId },
      sharesE6: await trading.sharesE6(tokenId),
    }))
    holdings.push(...(await Promise.all(read)))
  }
  return holdings.filter(({ sharesE6 }) => sharesE6 > 0n)
}
