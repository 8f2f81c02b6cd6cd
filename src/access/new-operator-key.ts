import { createHash, randomBytes } from 'node:crypto'
import { type Secret, secret } from '../core/secret.ts'
import type { OperatorKeyRow } from '../ledger/ports/operator-book.ts'

export type NewKeyRow = Omit<OperatorKeyRow, 'lastUsedMs' | 'revokedMs'>
type Wanted = Pick<OperatorKeyRow, 'label' | 'scopes'> & { nowMs: number }

/** Makes a key recognizable, to people and to scanners that look for secrets in files. */
const PREFIX = 'tbk_'
const KEY_BYTES = 32
const ID_BYTES = 4

/** A key for its owner, and the row that recognizes it. The key itself is kept nowhere. */
export function newOperatorKey(
  { label, scopes, nowMs }: Wanted,
  random: (bytes: number) => Buffer = randomBytes,
): { key: Secret; row: NewKeyRow } {
  const text = `${PREFIX}${random(KEY_BYTES).toString('base64url')}`
  const row = { id: random(ID_BYTES).toString('hex'), label, scopes, createdMs: nowMs }
  return { key: secret(text), row: { ...row, digest: digestOf(text).toString('hex') } }
}

const GENERATED = /^tbk_[\w-]{43}$/
/** Looks like one that was made here: nobody guesses such a key. One that a person thought up can be. */
export const isGenerated = (key: string): boolean => GENERATED.test(key)

/**
 * A fast hash is enough: slow ones protect what people think up, and nobody tries 2^256 keys. Digests are of one length,
 * so comparing them tells nothing of the key's.
 */
export const digestOf = (key: string): Buffer => createHash('sha256').update(key).digest()
