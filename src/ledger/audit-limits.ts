import { DAY_MS } from '../core/time/time.ts'

/**
 * What the audit log keeps. Every key has bounds of its own, and what it did does not share one with what it only asked
 * or was refused: whoever has one key cannot push out what another did, nor hide an act behind a million reads. Nor can
 * a stranger who knocks for hours.
 */
export const AUDIT_KEPT = {
  ms: 400 * DAY_MS,
  actsOfKey: 50_000,
  readsOfKey: 10_000,
  rowsOfStrangers: 100_000,
} as const

/** Rows that wait to be written at most, once a second; all strangers together, or one key, get no more than their part. */
export const AUDIT_WAITING = { rows: 2_000, rowsOfOne: 500 } as const

/** Rows of the part that a row belongs to. */
export function auditRowsKept(keyId: string | undefined, isAct: boolean): number {
  if (keyId === undefined) return AUDIT_KEPT.rowsOfStrangers
  return isAct ? AUDIT_KEPT.actsOfKey : AUDIT_KEPT.readsOfKey
}

/** Old rows that one new row may push out: enough to catch up, little enough to be no work. */
export const AUDIT_REMOVED_AT_ONCE = 4
