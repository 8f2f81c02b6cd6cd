import { z } from 'zod'
import { ALL_CATEGORIES, LISTS } from '../../intel/directory/listing.ts'
import { FIELDS } from '../../intel/directory/score.ts'
import { PartFields } from '../part-fields.ts'

const Share = z.number().min(0).max(1)
const Count = z.int().min(0)

export const Result = z.object({
  name: z.string().describe('As its owner wrote it, cleaned; the host where there is none'),
  url: z.url(),
  host: z.string(),
  description: z.string().nullable().describe('As its owner wrote it, cleaned; null where there is none'),
  description_withheld: z.boolean().describe('true: the text gave instructions to models, so it is left out'),
  category: z.enum(ALL_CATEGORIES),
  kind: z.enum(['http', 'mcp', 'other']).describe('How it is called; other: a site or project'),
  tags: z.array(z.string()),
  networks: z.array(z.string()).describe('CAIP-2 where the network is known'),
  price: z
    .object({ min_usdc: z.number().min(0), max_usdc: z.number().min(0) })
    .nullable()
    .describe('Of one call, as listed; null where no price in USDC is'),
  quality: z.object({
    calls_30d: Count.nullable().describe('Null means unknown, not zero'),
    payers_30d: Count.nullable(),
    last_called_at: z.iso.datetime().nullable(),
  }),
  listed_in: z.array(z.enum(LISTS)).describe('Where its site is listed'),
  endpoints_of_host: z
    .object({ matching: Count, listed: Count })
    .describe('The best of a site stands for all of them: hosts below one registered name are one site'),
  score: Share.describe('Order of the results; comparable within one reply only'),
  why: z
    .object({
      relevance: Share,
      quality: Share,
      freshness: Share,
      matched: z.array(z.object({ word: z.string(), as: z.string(), in: z.array(z.enum(FIELDS)) })),
    })
    .describe('What the score is made of; the methodology says how'),
})

export const ListFields = PartFields.extend({
  listings: Count.nullable().describe('Entries that are searched'),
  withheld: Count.nullable().describe('Of these, entries whose text gave instructions to models'),
  left_out: Count.nullable().describe('Entries without an address that a buyer can call, or broken ones'),
})
