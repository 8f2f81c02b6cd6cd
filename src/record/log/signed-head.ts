import type { Mode } from '../../config/variables/variable.ts'
import { canonicalJson } from '../../core/canonical-json.ts'
import type { RecordHead } from '../../ledger/ports/record-book.ts'

/** Signs with Ed25519; `id` is the did:key of the public key. */
export type HeadKey = { id: string; sign(text: string): Buffer }

/** A tree head as it is served and signed. */
export type PublicHead = {
  tree_size: number
  root_hash: string
  timestamp: string
  key_id: string
  /** What the record is of; heads of earlier releases do not state it. */
  mode?: Mode
  signature: string
}

/** Part of the signed text, so that a head cannot pass for anything else that the key signs. */
const PURPOSE = 'tollbook-record-head-v1'

export function signHead(
  key: HeadKey,
  { treeSize, rootHash, atMs, mode }: Pick<RecordHead, 'treeSize' | 'rootHash' | 'atMs' | 'mode'>,
): RecordHead {
  const head = { treeSize, rootHash, atMs, mode, keyId: key.id }
  return { ...head, signature: key.sign(signedText(head)).toString('base64url') }
}

const signedText = (head: Omit<RecordHead, 'signature'>): string =>
  canonicalJson({ what: PURPOSE, ...toSigned(head) })

export const toPublicHead = (head: RecordHead): PublicHead => ({
  ...toSigned(head),
  signature: head.signature,
})

function toSigned({ treeSize, rootHash, atMs, keyId, mode }: Omit<RecordHead, 'signature'>) {
  return {
    tree_size: treeSize,
    root_hash: rootHash,
    timestamp: new Date(atMs).toISOString(),
    key_id: keyId,
    ...(mode && { mode }),
  }
}
