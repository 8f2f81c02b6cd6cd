import { z } from 'zod'
import { MINUTE_MS } from '../../core/time/time.ts'
import { RISK_RATINGS } from '../../intel/tokens/token-analysis.ts'
import {
  COUNTERPARTY_FLAGS,
  SPENDER_KINDS,
  VALUATIONS,
  WALLET_PARTS,
} from '../../intel/wallets/wallet-analysis.ts'
import { Method } from '../method-link.ts'
import { PartFields } from '../part-fields.ts'
import { ComponentFields } from '../tokens/fields.ts'

/** Holdings are not used when they are older than four minutes. */
export const WALLET_FRESH_MS = 5 * MINUTE_MS
export const SAMPLE_WALLET = '0xf89d7b9c864f589bbf53a82105107622b35eaa40'

export const WalletAddress = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'must be an address: 0x and 40 hexadecimal digits')
  .toLowerCase()
  .describe('Address of an account or a contract on Base')

const Dollars = z.number().min(0).nullable().describe('Null means unknown, not zero')
const Share = z.number().min(0).max(1).nullable()
const Count = z.int().min(0)
const Time = z.iso.datetime().nullable()
const Name = z.string().nullable().describe('A stranger wrote it')
const Amount = z
  .string()
  .nullable()
  .describe('In whole tokens, exact; null where the token does not say how it divides')
const Units = z.string().describe('In the smallest unit')
const Left = z.int().min(0).describe('How many more there are than are listed')

export const WalletIdentity = z.object({
  wallet: z.string().describe('The address in lower case'),
  kind: z
    .enum(['account', 'contract', 'delegated_account', 'unknown'])
    .describe('delegated_account: a contract may act for it (EIP-7702)'),
  delegate: z.string().nullable().describe('The contract that may act for it'),
  label: Name,
})

export const TotalFields = z.object({
  total_usd: Dollars.describe('Ether and all that has a value; null where nothing could be valued'),
  ether_usd: Dollars,
  tokens_usd: z.number().min(0),
  valued: Count.describe('Tokens that count with something'),
  not_valued: Count.describe('Tokens that count as nothing: each says why'),
})

export const EtherFields = z.object({
  amount: Amount,
  wei: Units.nullable(),
  price_usd: Dollars,
  value_usd: Dollars,
})

export const HoldingFields = z.object({
  token: z.string(),
  symbol: Name,
  name: Name,
  amount: Amount,
  units: Units,
  price_usd: z.number().positive().nullable(),
  value_usd: Dollars.describe('What it counts with; null where nobody can tell'),
  share: Share.describe('Of the total'),
  valuation: z
    .enum(VALUATIONS)
    .describe(
      'capped: worth more than all money in its pools, counted with that; all behind it count as nothing',
    ),
  scam_reason: z.string().nullable(),
})

export const ActivityFields = z.object({
  first_seen: Time,
  age_days: z.number().min(0).nullable(),
  last_active: Time.describe('When it last sent something itself'),
  transactions_sent: Count.nullable().describe('Null for contracts, which send none'),
  recent: z.array(
    z.object({
      hash: z.string(),
      at: z.iso.datetime(),
      direction: z.enum(['in', 'out']),
      counterparty: z.string(),
      token: z.string(),
      symbol: Name,
      amount: Amount,
      value_usd: Dollars.describe('At the price of now'),
    }),
  ),
  recent_left_out: Left,
})

export const ConcentrationFields = z
  .object({
    largest_asset: z.string().describe('ETH, or the address of a token'),
    largest_share: z.number().min(0).max(1),
    herfindahl: z.number().min(0).max(1).describe('Sum of the squares of all shares; 1 is a single asset'),
  })
  .nullable()
  .describe('Of what has a value; null where nothing has')

export const WalletScoreFields = z.object({
  value: z.number().min(0).max(100).describe('The smaller of sum and cap; higher is better'),
  sum: z.number().min(0).max(100).describe('Of the points'),
  cap: z.number().min(0).max(100).describe('What the risk rating allows'),
  confidence: z.number().min(0).max(1).describe('Share of the weights that rest on something known'),
  components: z.array(ComponentFields),
  method: Method,
})

export const WalletRiskFields = z.object({
  rating: z.enum(RISK_RATINGS).describe('The worst severity among the reasons; unknown is never safe'),
  reasons: z
    .array(
      z.object({
        code: z.string(),
        severity: z.enum(RISK_RATINGS),
        words: z.string(),
        evidence: z.string(),
      }),
    )
    .describe('Worst first'),
  method: Method,
})

export const ApprovalFields = z.object({
  count: Count.describe('Open ones'),
  unlimited: Count,
  value_at_risk_usd: z
    .number()
    .min(0)
    .describe(
      'What spenders that nobody vouches for can take now, every token counted once, as far as its worth is known',
    ),
  is_complete: z.boolean().describe('False: some that count may be missing'),
  open: z
    .array(
      z.object({
        token: z.string(),
        symbol: Name,
        spender: z.string(),
        spender_kind: z.enum(SPENDER_KINDS),
        spender_name: Name,
        allowance: Amount.describe('In whole tokens; null where it has no limit or the token is not held'),
        is_unlimited: z.boolean(),
        is_current: z.boolean().describe('False: what was approved; some of it may have been used'),
        since: Time,
        is_verified: z
          .boolean()
          .describe('False: a token without worth tells of it, which anybody can make up; it does not count'),
        value_at_risk_usd: Dollars,
      }),
    )
    .describe('The most dangerous first'),
  left_out: Left,
})

export const CounterpartyFields = z.object({
  count: Count,
  movements: Count.describe('Recent ones that were looked at and count'),
  risky_movements: Count,
  sent_to_risky: Count,
  is_complete: z.boolean().describe('False: older ones were not looked at'),
  top: z
    .array(
      z.object({
        address: z.string(),
        label: Name,
        exchange: z.string().nullable(),
        is_contract: z.boolean().nullable(),
        incoming: Count,
        outgoing: Count,
        unverified: Count.describe('Further ones that anybody can make up; they do not count'),
        in_usd: z.number().min(0).describe('Of tokens with a price, at the price of now'),
        out_usd: z.number().min(0).describe('Of tokens with a price, at the price of now'),
        last_at: z.iso.datetime(),
        flags: z.array(z.enum(COUNTERPARTY_FLAGS)),
      }),
    )
    .describe('Dangerous ones first, then the busiest'),
  left_out: Left,
})

export const ScamHoldingFields = z.object({
  count: Count,
  tokens: z.array(
    z.object({ token: z.string(), symbol: Name, name: Name, units: Units, reason: z.string() }),
  ),
  left_out: Left,
})

export const WalletPartsFields = z
  .object(
    Object.fromEntries(WALLET_PARTS.map((name) => [name, PartFields])) as Record<
      (typeof WALLET_PARTS)[number],
      typeof PartFields
    >,
  )
  .describe('What is behind each part, or why it is missing')
