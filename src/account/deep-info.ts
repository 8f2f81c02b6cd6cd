import { z } from 'zod'
import { free } from '../catalog/access.ts'
import { defineEndpoint } from '../catalog/endpoints/endpoint.ts'
import { MINUTE_MS } from '../core/time/time.ts'
import { type Part, toPart } from '../intel/part.ts'
import { EvmAddress, isoTime, Source, Timestamp } from '../products/fields.ts'
import { oldestMs, PartFields, toPartFields } from '../products/part-fields.ts'
import { shownDollars, shownPrice, shownShare } from '../products/tokens/numbers.ts'
import { CHAIN_ID } from './challenge-text.ts'
import { TierField } from './fields.ts'
import { type AccountServices, type HolderServices, holdersOf, type OnChain } from './services.ts'
import { TIERS, type Tier, wholeTokens } from './tiers.ts'

/** The chain, the holders and the market. */
const PARTS = 3
const TOP = 10
const Dollars = z.number().min(0).nullable().describe('Null means unknown, not zero')
const CHAIN_AGES = { freshMs: MINUTE_MS / 4, hardMs: MINUTE_MS }

const toTierFields = ({ name, tokens, callsPerDay }: Tier) => ({
  tier: name,
  tokens: Number(tokens),
  calls_per_day: callsPerDay,
})

export const deepInfo = defineEndpoint({
  id: 'account.deep_info',
  method: 'GET',
  path: '/deep/info',
  access: free,
  summary: 'The project token: supply, holders, price and what holding it brings',
  description:
    'What the chain says of the token whose holders may call paid products without paying: contract, supply and block; from others its holders, price and liquidity, each part with its source, its own time and whether it is fresh, aged or missing. Unknown is null. Without the chain 503.',
  params: z.object({}),
  sample: {},
  response: z.object({
    timestamp: Timestamp.describe('Of the oldest part'),
    source: Source,
    token: EvmAddress.describe('Contract address'),
    network: z.literal(`eip155:${CHAIN_ID}`),
    name: z.string().nullable(),
    symbol: z.string().nullable(),
    decimals: z.int().min(0),
    total_supply: z.number().min(0).describe('In whole tokens'),
    block: z.int().min(0).describe('The newest block when the supply was read'),
    holders: z.object({
      count: z.int().min(0).nullable(),
      top10_share: z.number().min(0).nullable().describe('Of the supply, from 0 to 1'),
    }),
    price_usd: Dollars,
    liquidity_usd: Dollars,
    market_cap_usd: Dollars,
    tiers: z
      .array(z.object({ tier: TierField, tokens: z.number().min(0), calls_per_day: z.int().min(0) }))
      .length(TIERS.length),
    parts: z.array(PartFields).min(1).max(PARTS).describe('What each source gave, or why it did not'),
  }),
  handle: async (services: AccountServices) => {
    const { chain, holders, market } = await readParts(holdersOf(services), services.clock.now())
    const parts = [chain, holders, market]
    const { name, symbol, decimals, totalSupply, block } = chain.value
    const said = parts.filter(({ status }) => status !== 'missing').map(({ source }) => source)
    return {
      timestamp: isoTime(oldestMs(parts) ?? chain.asOfMs),
      source: services.sourceOf(said.join('+')),
      token: holdersOf(services).token.address,
      network: `eip155:${CHAIN_ID}` as const,
      name: name ?? null,
      symbol: symbol ?? null,
      decimals,
      total_supply: wholeTokens({ units: totalSupply, decimals }),
      block,
      holders: { count: holders.value?.count ?? null, top10_share: shareOfTop(holders) },
      price_usd: shownPrice(market.value?.priceUsd),
      liquidity_usd: shownDollars(market.value?.liquidityUsd),
      market_cap_usd: shownDollars(market.value?.marketCapUsd),
      tiers: TIERS.map(toTierFields),
      parts: parts.map((part) => toPartFields(part, services.sourceOf)),
    }
  },
})

/** The chain is essential: it throws where it cannot be read. The others are late or missing on their own. */
async function readParts({ token, facts }: HolderServices, nowMs: number) {
  const address = token.address.toLowerCase()
  const [onChain, holders, market] = await Promise.all([
    token.onChain(),
    facts.readOne('holders', address),
    facts.readOne('market', address),
  ])
  return { chain: chainPart(onChain, nowMs), holders, market }
}

function chainPart(value: OnChain, nowMs: number): Part<OnChain> & { value: OnChain; asOfMs: number } {
  const { asOfMs } = value
  const { status } = toPart({ source: 'base_node', ages: CHAIN_AGES, nowMs }, { value, asOfMs })
  return { source: 'base_node', status: status === 'fresh' ? status : 'aged', value, asOfMs }
}

function shareOfTop({ value }: Part<{ holders: readonly { share: number }[] | undefined }>): number | null {
  const largest = value?.holders?.slice(0, TOP)
  return shownShare(largest?.reduce((sum, { share }) => sum + share, 0))
}
