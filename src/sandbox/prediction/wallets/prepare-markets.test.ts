import { expect, test } from 'vitest'
import { marketNamed } from '../../../testing/sandbox/local-custody.ts'
import { approvalCalls, redeemCall, splitCall } from '../../../upstreams/polymarket/relayer/wallet-calls.ts'
import type { VenueMarket } from '../venue.ts'
import { prepareMarkets } from './prepare-markets.ts'

const { conditionId, tokenIds } = marketNamed('listed')
const LISTED = { conditionId, tokenIds: tokenIds.map(String) } as unknown as VenueMarket

test('the contracts are told of the listed markets that a batch names, and of no others', async () => {
  const prepared: unknown[] = []
  const venue = { findByCondition: (id: string) => (id === conditionId ? LISTED : undefined) }
  const prepare = async (market: VenueMarket) => void prepared.push(market)
  const elsewhere = {
    ...redeemCall(conditionId),
    target: '0x00000000000000000000000000000000000A11cE',
  } as const
  const cut = {
    ...redeemCall(conditionId),
    data: redeemCall(conditionId).data.slice(0, 100) as `0x${string}`,
  }
  const calls = [...approvalCalls(), elsewhere, cut, redeemCall(marketNamed('unknown').conditionId)]
  await prepareMarkets({ calls }, venue, prepare)
  expect(prepared).toEqual([])
  await prepareMarkets({ calls: [splitCall(conditionId, 1n)] }, venue, prepare)
  expect(prepared).toEqual([LISTED])
})
