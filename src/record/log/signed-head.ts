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
  signature: string
}

/** Part of the signed text, so that a head cannot pass for anything else that the key signs. */
const PURPOSE = 'tollbook-record-head-v1'

export function signHead(
  key: HeadKey,
  { treeSize, rootHash, atMs }: Pick<RecordHead, 'treeSize' | 'rootHash' | 'atMs'>,
): RecordHead {
  const head = { treeSize, rootHash, atMs, keyId: key.id }
  return { ...head, signature: key.sign(signedText(head)).toString('base64url') }
}

function signedText({ treeSize, rootHash, atMs, keyId }: Omit<RecordHead, 'signature'>): string {
  return canonicalJson({
    what: PURPOSE,
    tree_size: treeSize,
    root_hash: rootHash,
    timestamp: new Date(atMs).toISOString(),
    key_id: keyId,
  })
}

export const toPublicHead = ({ treeSize, rootHash, atMs, keyId, signature }: RecordHead): PublicHead => ({
  tree_size: treeSize,
  root_hash: rootHash,
  timestamp: new Date(atMs).toISOString(),
  key_id: keyId,
  signature,
})
