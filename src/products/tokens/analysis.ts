import { z } from 'zod'
import { paid } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { usd } from '../../core/money.ts'
import { shorten } from '../../core/shorten.ts'
import { isoTime, Source, Timestamp } from '../fields.ts'
import { TOKEN_LOOKS } from '../look-limits.ts'
import { PartFields } from '../part-fields.ts'
import {
  Address,
  HolderFields,
  HoneypotFields,
  Identity,
  MARKET_FRESH_MS,
  MarketFields,
  PowerFields,
  RiskFields,
  SAMPLE_ADDRESS,
  ScoreFields,
  TaxFields,
} from './fields.ts'
import type { TokenServices } from './services.ts'
import {
  toHolders,
  toHoneypot,
  toIdentity,
  toMarket,
  toParts,
  toPowers,
  toRisk,
  toScore,
  toSource,
  toTaxes,
} from './shown-analysis.ts'

export const tokenAnalysis = defineEndpoint({
  id: 'token.analysis',
  method: 'GET',
  path: '/token/{address}',
  access: paid(usd('0.01')),
  summary: 'Analysis of a token on Base: market, holders, powers, risk, score',
  description:
    'Price, liquidity, age and volume of a token by its contract address, who holds it, what its owner can do, what trades are taxed, whether it can be sold, a risk rating with the evidence of each reason, and a score of 0 to 100 that can be computed again from its components. Every source says how old its part is. Unknown is null and never counts as safe. Without market data, or while no risk source answers, 503 and no charge.',
  brings:
    'Price, holders, what the owner can do, whether it can be sold, and a risk rating with the evidence.',
  params: z.object({ address: Address }),
  title: ({ address }) => `Token analysis of ${shorten(address)}`,
  sample: { address: SAMPLE_ADDRESS },
  response: z.object({
    timestamp: Timestamp.describe("The market data's own time"),
    source: Source,
    ...Identity.shape,
    decimals: z.int().min(0).nullable(),
    total_supply: z.number().min(0).nullable().describe('In whole tokens'),
    ...MarketFields.shape,
    holders: HolderFields,
    taxes: TaxFields,
    powers: PowerFields,
    honeypot: HoneypotFields,
    risk: RiskFields,
    score: ScoreFields,
    parts: z.array(PartFields).describe('What each source gave, or why it did not'),
  }),
  tool: 'get_token_analysis',
  freshForMs: MARKET_FRESH_MS,
  checkExists: ({ lookup }: TokenServices, { address }, mayLook) => lookup.checkExists(address, mayLook),
  lookLimit: TOKEN_LOOKS,
  changes: ({ analyst }: TokenServices, { address }) => analyst.state(address),
  handle: async ({ analyst, sourceOf }: TokenServices, { address }) => {
    const analysis = await analyst.analyse(address)
    const { decimals, totalSupply } = analysis.identity
    return {
      timestamp: isoTime(analysis.asOfMs),
      source: toSource(analysis, sourceOf),
      ...toIdentity(analysis),
      decimals: decimals ?? null,
      total_supply: totalSupply ?? null,
      ...toMarket(analysis),
      holders: toHolders(analysis, sourceOf),
      taxes: toTaxes(analysis, sourceOf),
      powers: toPowers(analysis),
      honeypot: toHoneypot(analysis, sourceOf),
      risk: toRisk(analysis, sourceOf),
      score: toScore(analysis),
      parts: toParts(analysis, sourceOf),
    }
  },
})
