import { z } from 'zod'
import { RISK_RATINGS } from '../../intel/tokens/token-analysis.ts'
import { Source } from '../fields.ts'
import { Method } from '../method-link.ts'

/** No analysis is sold on a market that is older. */
export const MARKET_FRESH_MS = 60_000
/** Wrapped ether, which every client of Base knows. */
export const SAMPLE_ADDRESS = '0x4200000000000000000000000000000000000006'

export const Address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'must be a contract address: 0x and 40 hexadecimal digits')
  .toLowerCase()
  .describe('Address of a token contract on Base')

const Share = z.number().min(0).max(1).nullable().describe('0.05 is five percent; null means unknown')
const Dollars = z.number().min(0).nullable().describe('Null means unknown, not zero')
const Percent = z.number().nullable()
const Told = z.string().nullable().describe('Who told it; null where nobody did')
const Verdict = z.enum(['yes', 'no', 'unknown'])
const Power = z.boolean().nullable().describe('True is the dangerous answer; null means unknown, not safe')

export const Identity = z.object({
  token: z.string().describe('The address in lower case'),
  name: z.string().nullable().describe('As the contract calls itself: a stranger wrote it'),
  symbol: z.string().nullable().describe('As the contract calls itself: a stranger wrote it'),
  name_withheld: z
    .boolean()
    .describe('true: name and symbol gave instructions to models, so they are left out'),
})

export const MarketFields = z.object({
  price_usd: z.number().positive().nullable().describe('Null where no pool trades it'),
  change_percent: z
    .object({ '5m': Percent, '1h': Percent, '6h': Percent, '24h': Percent })
    .describe('Change of the price in percent by span, of the main pool; null means unknown'),
  volume_24h_usd: Dollars,
  buys_24h: z.int().min(0).nullable(),
  sells_24h: z.int().min(0).nullable(),
  liquidity_usd: Dollars.describe('Of all pools; null means unknown, not zero'),
  pools: z.int().min(0),
  market_cap_usd: Dollars,
  fdv_usd: Dollars.describe('What all tokens that exist would be worth'),
  created_at: z.iso.datetime().nullable().describe('When the oldest pool was made'),
  age_days: z.number().min(0).nullable(),
})

export const HolderFields = z.object({
  count: z.int().min(0).nullable(),
  count_source: Told,
  top10_share: Share.describe('Of the ten largest that are neither contracts nor locked nor burnt'),
  top10_source: Told,
  largest_holder: z
    .object({ address: z.string().nullable(), share: z.number().min(0).max(1) })
    .nullable()
    .describe('The largest that is neither a contract nor locked nor burnt'),
  creator_share: Share,
  locked_liquidity_share: Share,
})

const Tax = z
  .object({ share: z.number().min(0).max(1), source: z.string() })
  .nullable()
  .describe('Share of a trade, the worst that a source tells; null means unknown, not zero')
export const TaxFields = z.object({ buy: Tax, sell: Tax, transfer: Tax })

export const PowerFields = z.object({
  owner: z.string().nullable().describe('An address, or renounced; null means unknown'),
  can_mint: Power,
  is_proxy: Power,
  has_hidden_owner: Power,
  can_take_back_ownership: Power,
  can_pause_transfers: Power,
  can_blacklist: Power,
  can_change_balances: Power,
  can_change_tax: Power,
  is_closed_source: Power,
  limits_sales: Power,
  can_self_destruct: Power,
  is_trusted: z
    .boolean()
    .describe('A risk source lists it as famous and trustworthy, or its issuer is one that everybody knows'),
})

export const HoneypotFields = z.object({
  verdict: Verdict.describe('One source that says yes is enough for yes'),
  by: z.array(z.string()).describe('Who says what the verdict says'),
  is_disputed: z.boolean(),
  told: z.array(z.object({ source: z.string(), verdict: Verdict, reason: z.string().nullable() })),
})

export const RiskFields = z.object({
  rating: z.enum(RISK_RATINGS).describe('The worst severity among the reasons; unknown is never safe'),
  reasons: z
    .array(
      z.object({
        code: z.string(),
        severity: z.enum(RISK_RATINGS),
        words: z.string(),
        evidence: z.string(),
        source: Source.describe('Who told it; tollbook: follows from several sources, or from their silence'),
      }),
    )
    .describe('Worst first'),
  method: Method,
})

export const ComponentFields = z.object({
  name: z.string(),
  value: z.number().nullable().describe('What the points follow from; null means unknown'),
  known: z.number().min(0).max(1),
  weight: z.number().positive(),
  points: z.number().min(0),
  why: z.string(),
})

export const ScoreFields = z.object({
  value: z.number().min(0).max(100).describe('The smaller of sum and cap; higher is better'),
  sum: z.number().min(0).max(100).describe('Of the points'),
  cap: z.number().min(0).max(100).describe('What the risk rating allows'),
  confidence: z.number().min(0).max(1).describe('Share of the weights that rest on something known'),
  components: z.array(ComponentFields),
  method: Method,
})
