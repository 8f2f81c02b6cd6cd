import type { Hex } from 'viem'
import type { RelayerClient } from '../../../upstreams/polymarket/relayer/client.ts'
import type { Trading } from '../../../upstreams/polymarket/trading/trading.ts'
import type { Redeemed } from '../broker.ts'
import { asking } from '../venue-fault.ts'

export type RedeemPorts = {
  trading: Pick<Trading, 'sharesE6'>
  relayer: Pick<RelayerClient, 'redeem'>
  /** What a share of a token pays, in millionths; undefined until the market is resolved. */
  payoutOf(conditionId: string, tokenId: string): Promise<bigint | undefined>
}

const ONE_E6 = 1_000_000n

/** The contracts pay all shares of the market; what came in is counted of the tokens that were asked for. */
export async function redeemShares(
  { trading, relayer, payoutOf }: RedeemPorts,
  conditionId: string,
  tokenIds: readonly string[],
): Promise<Redeemed> {
  let heldE6 = 0n
  let amountE6 = 0n
  for (const tokenId of tokenIds) {
    const payoutE6 = await asking(payoutOf(conditionId, tokenId))
    if (payoutE6 === undefined) return { outcome: 'refused', reason: 'the market is not resolved yet' }
    const sharesE6 = await asking(trading.sharesE6(tokenId))
    heldE6 += sharesE6
    // Floors, as the contracts do.
    amountE6 += (sharesE6 * payoutE6) / ONE_E6
  }
  if (heldE6 === 0n) return { outcome: 'refused', reason: 'the wallet has no shares of it' }
  const relayed = await relayer.redeem(conditionId as Hex)
  if (relayed.outcome === 'unknown') return { outcome: 'unknown', reason: relayed.reason }
  if (relayed.outcome !== 'confirmed') return { outcome: 'refused', reason: relayed.reason }
  return { outcome: 'paid', amountE6, transactionHash: relayed.transactionHash }
}
