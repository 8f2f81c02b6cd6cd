import { canonicalJson } from '../../core/canonical-json.ts'
import type { RecordBook, RecordHead } from '../../ledger/ports/record-book.ts'
import type { KeyLeaf } from './leaf.ts'
import type { HeadKey } from './signed-head.ts'

/** A lost key is known by its name only. */
export type OldKey = { id: string; sign?: HeadKey['sign'] }
type Change = { old: OldKey; next: HeadKey; nth: number; treeSize: number; rootHash: string; atMs: number }

/** Part of the signed text, so that neither signature can pass for anything else that the keys sign. */
const PURPOSE = 'tollbook-record-key-v1'

/** Signed by the new key, which shows that we hold it, and by the old one, which shows that it was ours to change. */
export function signKeyChange({ old, next, nth, treeSize, rootHash, atMs }: Change): KeyLeaf {
  const change = {
    kind: 'key',
    id: keyChangeId(nth),
    changed_at: new Date(atMs).toISOString(),
    reason: old.sign ? 'rotated' : 'lost',
    old_key_id: old.id,
    new_key_id: next.id,
    tree_size: treeSize,
    root_hash: rootHash,
  } as const
  const text = canonicalJson({ what: PURPOSE, ...change })
  return {
    ...change,
    old_signature: old.sign ? old.sign(text).toString('base64url') : null,
    new_signature: next.sign(text).toString('base64url'),
  }
}

/** Every change so far, oldest first, without reading the whole record. */
export async function readKeyChanges(book: Pick<RecordBook, 'leavesOf'>): Promise<readonly KeyLeaf[]> {
  const changes: KeyLeaf[] = []
  for (;;) {
    const [found] = await book.leavesOf(keyChangeId(changes.length + 1))
    if (!found) return changes
    changes.push(JSON.parse(found.text))
  }
}

const keyChangeId = (nth: number) => `key-${nth}`

export type KeyChain = {
  readonly changes: readonly KeyLeaf[]
  /** Throws on a change of another key than the one in force. */
  follow(leaf: KeyLeaf): void
  /** Throws on a head that the key in force did not sign. */
  check(head: RecordHead): void
}

/** Which key signs at which place of the record. */
export function createKeyChain(): KeyChain {
  const changes: KeyLeaf[] = []
  let keyId: string | undefined
  const expect = (signer: string, what: string) => {
    keyId ??= signer
    if (signer !== keyId)
      throw new Error(
        `${what} in the ledger is of the key ${signer}, but ${keyId} was in force: restore the ledger from a backup`,
      )
  }
  return {
    changes,
    follow(leaf) {
      expect(leaf.old_key_id, `the key change ${leaf.id}`)
      keyId = leaf.new_key_id
      changes.push(leaf)
    },
    check: (head) => expect(head.keyId, `the head over ${head.treeSize} leaves`),
  }
}
