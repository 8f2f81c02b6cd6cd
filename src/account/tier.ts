import { getAddress } from 'viem'
import { z } from 'zod'
import { free } from '../catalog/access.ts'
import { defineEndpoint } from '../catalog/endpoints/endpoint.ts'
import { EvmAddress, isoTime, Source, Timestamp } from '../products/fields.ts'
import { BalanceField, SAMPLE_WALLET, TierField, Wallet } from './fields.ts'
import { TIER_LIMIT } from './limits.ts'
import { type AccountServices, holdersOf } from './services.ts'
import { nextTier, tierOf, wholeTokens } from './tiers.ts'

export const tier = defineEndpoint({
  id: 'account.tier',
  method: 'GET',
  path: '/tier/{wallet}',
  access: free,
  limit: TIER_LIMIT,
  summary: 'What a wallet may do by the project tokens it holds',
  description:
    'Tier, balance, daily allowance of paid calls and what the next tier needs. The balance is read from the chain and at most a minute old. To use the allowance the wallet has to sign in. All holders together have a limit a day.',
  params: z.object({ wallet: Wallet }),
  sample: { wallet: SAMPLE_WALLET },
  response: z.object({
    timestamp: Timestamp,
    source: Source,
    wallet: EvmAddress,
    token: EvmAddress.describe('Contract of the project token on Base'),
    tier: TierField,
    balance: BalanceField,
    calls_per_day: z.int().min(0).describe('Paid calls a UTC day without paying, once signed in'),
    next: z
      .object({
        tier: TierField,
        tokens: z.number().min(0).describe('Whole tokens that it needs'),
        missing: z.number().min(0).describe('Tokens that are missing'),
        calls_per_day: z.int().min(0),
      })
      .nullable()
      .describe('The next tier; null in the highest'),
  }),
  handle: async (services: AccountServices, { wallet }) => {
    const { token } = holdersOf(services)
    const balance = await token.balance(wallet)
    const own = tierOf(balance)
    const next = nextTier(balance)
    return {
      timestamp: isoTime(balance.asOfMs),
      source: services.sourceOf('base_node'),
      wallet: getAddress(wallet),
      token: token.address,
      tier: own.name,
      balance: wholeTokens(balance),
      calls_per_day: own.callsPerDay,
      next: next
        ? {
            tier: next.tier.name,
            tokens: Number(next.tier.tokens),
            missing: next.missing,
            calls_per_day: next.tier.callsPerDay,
          }
        : null,
    }
  },
})
