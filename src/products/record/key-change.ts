import { z } from 'zod'
import { type KeyLeaf as Change, KEY_REASONS } from '../../record/log/leaf.ts'
import { Count, Hash, WindowLeaf } from './fields.ts'

const Reason = z.enum(KEY_REASONS).describe('lost: the old key could not sign the change')
const Signature = z
  .string()
  .describe('Ed25519 over the canonical JSON of the other fields and their purpose, base64url')

const KeyLeaf = z.strictObject({
  kind: z.literal('key'),
  id: z.string(),
  changed_at: z.iso.datetime(),
  reason: Reason,
  old_key_id: z.string(),
  new_key_id: z.string(),
  tree_size: Count.describe('Leaves before this one'),
  root_hash: Hash,
  old_signature: Signature.nullable(),
  new_signature: Signature,
})
/** Any line of the record. */
export const IndexedLeaf = z.object({
  index: Count,
  leaf: z.discriminatedUnion('kind', [...WindowLeaf.options, KeyLeaf]),
})

/** What was signed with a former key stays ours: its name is published for good. */
export const FormerKey = z.object({
  key_id: z.string().describe('did:key that signed until then'),
  until: z.iso.datetime(),
  replaced_by: z.string(),
  reason: Reason,
})

export const toFormerKey = (change: Change): z.input<typeof FormerKey> => ({
  key_id: change.old_key_id,
  until: change.changed_at,
  replaced_by: change.new_key_id,
  reason: change.reason,
})
