import { z } from 'zod'
import { TIER_NAMES } from './tiers.ts'

export const SAMPLE_WALLET = '0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf'

/** In lower case once it is read. Replies write it with the checksum of EIP-55. */
export const Wallet = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'must be an address: 0x and 40 hexadecimal digits')
  .toLowerCase()
  .describe('Address of a wallet on Base, an account or a contract')

export const TierField = z.enum(TIER_NAMES).describe('By whole project tokens held')
export const BalanceField = z.number().min(0).describe('Project tokens held')
