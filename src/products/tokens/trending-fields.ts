import { z } from 'zod'
import { SCAM_MARKS, type ScamMark } from '../../intel/tokens/trending/scam-marks.ts'
import { Source, Timestamp } from '../fields.ts'
import { Method } from '../method-link.ts'
import { PartFields } from '../part-fields.ts'
import { ComponentFields } from './fields.ts'

const MARKS = Object.keys(SCAM_MARKS) as [ScamMark, ...ScamMark[]]

export const PoolFields = z.object({
  name: z.string().describe('Of the token, as it calls itself: a stranger wrote it'),
  symbol: z.string().describe('Of the token, as it calls itself: a stranger wrote it'),
  token_address: z.string(),
  price_usd: z.number().positive(),
  price_change_24h: z.number().describe('In percent'),
  volume_24h: z.number().min(0).describe('In US dollars'),
  score: z
    .number()
    .min(0)
    .max(100)
    .describe('Of the bustle, not of safety: the sum of the points times what each mark leaves, in tenths'),
  components: z.array(ComponentFields),
  marks: z
    .array(
      z.object({
        code: z.enum(MARKS),
        leaves: z.number().min(0).max(1).describe('The score is multiplied by it'),
      }),
    )
    .describe('How scams look. Empty: none was seen'),
  checked_by: z.array(Source).describe('Risk sources that told something of the token'),
  liquidity_usd: z.number().min(0).nullable(),
  pool_address: z.string().describe('An address, or 32 bytes for a pool of Uniswap v4'),
  dex: z.string().nullable(),
  created_at: z.iso.datetime().nullable().describe('When the pool was made'),
})

export const TrendingFields = z.object({
  pools: z.array(PoolFields).describe('The highest score first'),
  tier: z.string().describe('full: no field is held back'),
  count: z.int().min(0),
  candidates: z.int().min(0).describe('Tokens that were compared'),
  method: Method,
  source: Source,
  timestamp: Timestamp,
  parts: z
    .array(PartFields)
    .describe('The pools, then each risk source with the time of the oldest check that a score rests on'),
})
