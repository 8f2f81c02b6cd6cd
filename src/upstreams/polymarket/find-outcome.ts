import type { Coin } from '../../core/coin.ts'
import { UpstreamError } from '../upstream.ts'
import type { PolyData } from './data/client.ts'
import type { FiveMinuteMarket } from './five-minute-market.ts'
import type { Gamma } from './gamma/client.ts'

type Ports = { gamma: Pick<Gamma, 'fiveMinute'>; data: Pick<PolyData, 'resolution'> }

/** How a window ended; `SPLIT`: both sides pay alike; undefined while it is not resolved. */
export async function findOutcome(
  { gamma, data }: Ports,
  coin: Coin,
  windowStartS: number,
): Promise<NonNullable<FiveMinuteMarket['outcome']> | 'SPLIT' | undefined> {
  const market = await gamma.fiveMinute(coin, windowStartS)
  if (market?.outcome) return market.outcome
  if (!market?.closed) return undefined
  // It is rare and asked for again: where this host is down, nobody waits for it.
  const isKnownSplit = await isSplit(data, market.conditionId).catch(toUnknown)
  return isKnownSplit ? 'SPLIT' : undefined
}

function toUnknown(error: unknown): undefined {
  if (!(error instanceof UpstreamError)) throw error
}

const HALF_E6 = 500_000

/** Whether the contracts pay half a dollar for each share, as for a market that has no answer. */
export async function isSplit(data: Ports['data'], conditionId: string): Promise<boolean> {
  try {
    const payoutsE6 = (await data.resolution(conditionId))?.payoutsE6 ?? []
    return payoutsE6.length === 2 && payoutsE6.every((payoutE6) => payoutE6 === HALF_E6)
  } catch (error) {
    if (error instanceof UpstreamError && error.fault === 'not_found') return false
    throw error
  }
}
