import { z } from 'zod'
import type { Part } from '../../intel/part.ts'
import type { GlobalMarket } from '../../upstreams/coingecko/wire.ts'
import { PartFields, toPartFields } from '../part-fields.ts'
import { round } from './fields.ts'

const Percent = z.number().nullable()
const Dominance = z.number().min(0).max(100).nullable()

export const WholeMarketFields = z.object({
  total_market_cap_usd: z.number().min(0).nullable().describe('Worth of all coins'),
  market_cap_change_24h_percent: Percent,
  volume_24h_usd: z.number().min(0).nullable(),
  btc_dominance_percent: Dominance.describe('Share of BTC in the worth of all coins'),
  eth_dominance_percent: Dominance,
  ...PartFields.shape,
})

export function toWholeMarketFields(
  part: Part<GlobalMarket>,
  sourceOf: (source: string) => string,
): z.input<typeof WholeMarketFields> {
  const { value } = part
  const shown = (number: number | undefined) => (number === undefined ? null : round(number))
  return {
    total_market_cap_usd: shown(value?.capUsd),
    market_cap_change_24h_percent: shown(value?.capChange24hPercent),
    volume_24h_usd: shown(value?.volume24hUsd),
    btc_dominance_percent: shown(value?.dominance.BTC),
    eth_dominance_percent: shown(value?.dominance.ETH),
    ...toPartFields(part, sourceOf),
  }
}
