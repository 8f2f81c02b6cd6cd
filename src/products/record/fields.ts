import { z } from 'zod'
import { MODES } from '../../config/variables/variable.ts'
import { COINS } from '../../core/coin.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { RecordAnchor } from '../../ledger/ports/record-book.ts'
import { MISSED_REASONS, UNKNOWN_REASONS } from '../../record/log/leaf.ts'
import { REGIMES } from '../../signals/signal.ts'
import { isoTime, PriceKind, RecordId, WindowEdge } from '../fields.ts'
import type { PublicRecord, RecordServices } from './services.ts'

const hash = z.string().regex(/^[0-9a-f]{64}$/)
export const Hash = hash.describe('SHA-256 in hex')
export const Count = z.int().min(0)
export const Share = z.number().min(0).max(1)
export const AnyCoin = z.enum(COINS)
const Direction = z.enum(['UP', 'DOWN'])
const WindowStart = WindowEdge.describe('Epoch second at which the window opens')

export const EntryId = z
  .string()
  .toUpperCase()
  .regex(
    /^(BTC|ETH|SOL|XRP)-[1-9]\d{0,11}$/,
    'must be a coin and the second its window opens, as in BTC-1767614400',
  )
  .describe('Coin and opening second of the window, as in BTC-1767614400')

const entry = { id: RecordId, coin: AnyCoin, window_start: WindowStart }
const Price = z.strictObject({ price: z.number().positive(), price_kind: PriceKind, at: z.iso.datetime() })

/** Strict: a field that is left out of a reply would change the hash of its leaf. */
export const WindowLeaf = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('commit'), ...entry, committed_at: z.iso.datetime(), commitment: Hash }),
  z.strictObject({
    kind: z.literal('missed'),
    ...entry,
    missed_at: z.iso.datetime(),
    reason: z.enum(MISSED_REASONS),
  }),
  z.strictObject({
    kind: z.literal('reveal'),
    ...entry,
    revealed_at: z.iso.datetime(),
    salt: hash.describe('32 random bytes in hex'),
    prediction: z.strictObject({
      coin: AnyCoin,
      window_start: WindowStart,
      as_of: z.iso.datetime(),
      probability_up: z.number().min(0).max(1),
      direction: Direction,
      confidence: z.number().min(0).max(1),
      abstain: z.boolean(),
      regime: z.enum(REGIMES),
      model: z.string(),
    }),
    open: Price.nullable(),
    close: Price.nullable(),
    outcome: z.enum(['UP', 'DOWN', 'unknown']).describe('A tie is UP'),
    hit: z.boolean().nullable(),
    reason: z.enum(UNKNOWN_REASONS).nullable().describe('Why the outcome is unknown'),
  }),
])
export const IndexedWindowLeaf = z.object({ index: Count, leaf: WindowLeaf })

export const Head = z.object({
  tree_size: Count,
  root_hash: Hash,
  timestamp: z.iso.datetime(),
  key_id: z.string().describe('did:key of the Ed25519 key'),
  mode: z
    .enum(MODES)
    .optional()
    .describe('What the record is of, and signed as such; not stated in heads of earlier releases'),
  signature: z.string().describe('Ed25519 over the canonical JSON of the rest and its purpose, base64url'),
})

export const AnchorNote = z.object({
  tree_size: Count,
  root_hash: Hash,
  network: z.string(),
  tx: z.string().describe('Its call data hold the tree size and the root hash'),
  anchored_at: z.iso.datetime(),
})

export const toAnchorNote = ({ treeSize, rootHash, network, tx, atMs }: RecordAnchor) => ({
  tree_size: treeSize,
  root_hash: rootHash,
  network,
  tx,
  anchored_at: isoTime(atMs),
})

export function recordOf({ record }: RecordServices): PublicRecord {
  if (record) return record
  throw new ServiceError('upstream_unavailable', 'no record is kept here')
}

export const noSuchEntry = (id: string) =>
  new ServiceError('not_found', `the record has no entry ${id}`, {
    hint: 'entries are one per coin and five-minute window, entered a few seconds before it opens',
  })

const sampleHash = (digit: string) => digit.repeat(64)
const sampleEntry = { id: 'BTC-1767614400', coin: 'BTC', window_start: 1767614400 } as const
export const sampleCommit = {
  index: 0,
  leaf: {
    kind: 'commit',
    ...sampleEntry,
    committed_at: '2026-01-05T11:59:57.000Z',
    commitment: sampleHash('3'),
  },
} as const
