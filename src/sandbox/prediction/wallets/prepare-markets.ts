import { type Hex, isAddressEqual, size, slice } from 'viem'
import { POLYMARKET_CONTRACTS } from '../../../upstreams/polymarket/relayer/addresses.ts'
import type { WalletBatch } from '../custody.ts'
import type { PredictionVenue, VenueMarket } from '../venue.ts'

const { outcomeTokens, collateralAdapter } = POLYMARKET_CONTRACTS
/** The third argument of split, merge and redeem. */
const CONDITION_AT = 4 + 2 * 32
const WORD_BYTES = 32

/**
 * Tells the contracts of the markets that a batch names. Most markets are never traded by a wallet, and each one that
 * is told costs a block.
 */
export async function prepareMarkets(
  { calls }: Pick<WalletBatch, 'calls'>,
  venue: Pick<PredictionVenue, 'findByCondition'>,
  prepare: (market: VenueMarket) => Promise<void>,
): Promise<void> {
  for (const { target, data } of calls) {
    const isOfTokens = [outcomeTokens, collateralAdapter].some((address) => isAddressEqual(address, target))
    if (!isOfTokens || size(data) < CONDITION_AT + WORD_BYTES) continue
    const conditionId = slice(data, CONDITION_AT, CONDITION_AT + WORD_BYTES).toLowerCase() as Hex
    const market = venue.findByCondition(conditionId)
    if (market) await prepare(market)
  }
}
