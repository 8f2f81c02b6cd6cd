import type { FiveMinuteFeed } from '../../feeds/prediction/five-minute-markets.ts'
import type { Clob } from '../../upstreams/polymarket/clob/client.ts'
import type { PolyData } from '../../upstreams/polymarket/data/client.ts'
import { isSplit } from '../../upstreams/polymarket/find-outcome.ts'
import type { FiveMinuteMarket } from '../../upstreams/polymarket/five-minute-market.ts'
import { UpstreamError } from '../../upstreams/upstream.ts'
import { asking } from './venue-fault.ts'

/** What shares pay. */
export type Payouts = {
  /** In millionths; undefined until the market is resolved. Rejects with a `ServiceError` where nobody can be asked. */
  payoutOf(conditionId: string, tokenId: string): Promise<bigint | undefined>
  close(): void
}

type Ports = {
  markets: Pick<FiveMinuteFeed, 'onResolved'>
  clob: Pick<Clob, 'market'>
  data: Pick<PolyData, 'resolution'>
}

/** Four days of four coins; older ones are asked for. */
const MAX_KEPT = 5_000
const ONE_E6 = 1_000_000n
const HALF_E6 = ONE_E6 / 2n

/** From the windows that the feed has heard of, and from the venue for older ones. */
export function createPayouts({ markets, clob, data }: Ports): Payouts {
  const winners = new Map<string, string>()
  const keep = ({ conditionId, outcome, tokens }: FiveMinuteMarket) => {
    if (outcome === undefined) return
    winners.set(conditionId, outcome === 'UP' ? tokens.up : tokens.down)
    const [oldest] = winners.keys()
    if (winners.size > MAX_KEPT && oldest !== undefined) winners.delete(oldest)
  }
  const close = markets.onResolved(keep)
  return {
    async payoutOf(conditionId, tokenId) {
      const winner = winners.get(conditionId) ?? (await asking(findWinner(clob, conditionId)))
      // The order book's server names no winner where both sides pay alike.
      if (winner === undefined) return (await asking(isSplit(data, conditionId))) ? HALF_E6 : undefined
      return winner === tokenId ? ONE_E6 : 0n
    },
    close,
  }
}

/** Undefined where the venue names none. */
async function findWinner(clob: Ports['clob'], conditionId: string): Promise<string | undefined> {
  try {
    const { tokens } = await clob.market(conditionId)
    const winning = tokens.filter(({ isWinner }) => isWinner === true)
    return winning.length === 1 ? winning[0]?.tokenId : undefined
  } catch (error) {
    if (error instanceof UpstreamError && error.fault === 'not_found') return undefined
    throw error
  }
}
