import type { Secret } from '../core/secret.ts'
import type { OperatorBook, OperatorKeyRow } from '../ledger/ports/operator-book.ts'
import { newOperatorKey } from './new-operator-key.ts'
import { isWorking } from './operator-keys.ts'

type Book = Pick<OperatorBook, 'addKey' | 'keys' | 'revokeKey'>
type Wanted = Pick<OperatorKeyRow, 'label' | 'scopes'>
export type MadeKey = Wanted & { id: string; key: Secret }

/** Every call compares with each of them. */
export const MAX_WORKING_KEYS = 32

export async function makeKey(book: Book, { label, scopes }: Wanted, nowMs: number): Promise<MadeKey> {
  const working = (await book.keys()).filter((row) => isWorking(row, nowMs))
  if (working.length >= MAX_WORKING_KEYS)
    throw new Error(
      `there are ${MAX_WORKING_KEYS} working keys, which is the limit: revoke one that is not needed, ./tollbook keys list shows when each was last used`,
    )
  const { key, row } = newOperatorKey({ label, scopes, nowMs })
  await book.addKey(row)
  return { id: row.id, label, scopes, key }
}

/** A successor with the same label and scopes. The old key goes on for `graceMs`, so that its users can be changed over. */
export async function rotateKey(
  book: Book,
  { id, graceMs }: { id: string; graceMs: number },
  nowMs: number,
): Promise<MadeKey & { revokedMs: number }> {
  const old = await findRow(book, id)
  if (old.revokedMs !== undefined)
    throw new Error(
      `key ${id} ${describeEnd(old.revokedMs, nowMs)}, so it cannot be rotated: make a new one with ./tollbook keys make`,
    )
  // Made first: a crash in between leaves one key too many, never one too few.
  const made = await makeKey(book, old, nowMs)
  const revokedMs = nowMs + graceMs
  await book.revokeKey(id, revokedMs)
  return { ...made, revokedMs }
}

/** Returns the row as it was: a key that was revoked before stays so from then. */
export async function revokeKey(book: Book, id: string, nowMs: number): Promise<OperatorKeyRow> {
  const row = await findRow(book, id)
  if (isWorking(row, nowMs)) await book.revokeKey(id, nowMs)
  return row
}

async function findRow(book: Book, id: string): Promise<OperatorKeyRow> {
  const row = (await book.keys()).find((each) => each.id === id)
  if (!row) throw new Error(`there is no key ${JSON.stringify(id)}: ./tollbook keys list shows all of them`)
  return row
}

export function describeEnd(revokedMs: number, nowMs: number): string {
  const time = new Date(revokedMs).toISOString()
  return revokedMs <= nowMs ? `was revoked at ${time}` : `works until ${time}`
}
