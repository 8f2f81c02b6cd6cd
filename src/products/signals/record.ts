import { z } from 'zod'
import { MODES } from '../../config/variables/variable.ts'
import type { RecordEntry } from '../../record/record-reader.ts'
import { isoTime } from '../fields.ts'
import { Count, Hash } from '../record/fields.ts'

/** Enough to check, without asking us again, that the entry stood in the record before its window opened. */
export const RecordNote = z
  .object({
    commitment: Hash.describe(
      'Of the prediction made before the window opened; it is revealed once the window has closed',
    ),
    committed_at: z.iso.datetime().describe('Time of the entry and of the signed head'),
    leaf_index: z.int().min(0),
    tree_size: Count,
    root_hash: Hash,
    proof: z.array(Hash).describe('Inclusion path of the leaf (RFC 6962)'),
    key_id: z.string().describe('did:key that signed the head'),
    mode: z.enum(MODES).nullable().describe('As stated in the signed head; null: not stated'),
    head_signature: z.string().describe('Ed25519 over the head, base64url'),
  })
  .describe('Proof that the entry stood under a signed head before the window opened')

export function toRecordNote(entry: RecordEntry): z.input<typeof RecordNote> {
  return {
    commitment: entry.commitment,
    committed_at: isoTime(entry.headAtMs),
    leaf_index: entry.leafIndex,
    tree_size: entry.treeSize,
    root_hash: entry.rootHash,
    proof: [...entry.proof],
    key_id: entry.keyId,
    mode: entry.mode ?? null,
    head_signature: entry.headSignature,
  }
}
