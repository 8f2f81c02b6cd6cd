import { timingSafeEqual } from 'node:crypto'
import type { Secret } from '../core/secret.ts'
import type { Clock } from '../core/time/clock.ts'
import type { OperatorBook, OperatorKeyRow } from '../ledger/ports/operator-book.ts'
import { digestOf } from './new-operator-key.ts'

/** A key that opens something now. */
export type WorkingKey = Pick<OperatorKeyRow, 'id' | 'label' | 'scopes'> & { digest: Buffer }
export type OperatorKeys = {
  working(): Promise<readonly WorkingKey[]>
  noteUse(key: WorkingKey): void
}
type Ports = {
  clock: Clock
  book: Pick<OperatorBook, 'keys' | 'noteUse'>
  /** TOLLBOOK_OPERATOR_KEY: has every scope, and is in no book. */
  environmentKey: Secret | undefined
}

export const KEY_SCOPES = ['admin', 'trade'] as const satisfies OperatorKeyRow['scopes']
/** Id and label of the key in TOLLBOOK_OPERATOR_KEY; no key in the book has such an id. */
export const ENVIRONMENT = 'environment'
/** The command line changes keys from another process: so long may a revoked one still open. */
const REREAD_AFTER_MS = 1_000

/** The keys as the ledger has them, read again at most once a second and only when somebody asks. */
export function createOperatorKeys({ clock, book, environmentKey }: Ports): OperatorKeys {
  const ofEnvironment = environmentKey && {
    id: ENVIRONMENT,
    label: ENVIRONMENT,
    scopes: KEY_SCOPES,
    digest: digestOf(environmentKey.reveal()),
  }
  let known: { rows: readonly OperatorKeyRow[]; readMs: number } | undefined
  let reading: Promise<readonly OperatorKeyRow[]> | undefined

  const read = async () => {
    const readMs = clock.now()
    const rows = await book.keys()
    known = { rows, readMs }
    return rows
  }
  const rows = () => {
    // Also where the clock was set back.
    if (known && Math.abs(clock.now() - known.readMs) < REREAD_AFTER_MS) return known.rows
    reading ??= read().finally(() => {
      reading = undefined
    })
    return reading
  }
  return {
    async working() {
      const all = await rows()
      const kept = all.filter((row) => isWorking(row, clock.now())).map(toWorking)
      return ofEnvironment ? [...kept, ofEnvironment] : kept
    },
    noteUse({ id }) {
      if (id !== ENVIRONMENT) book.noteUse(id, clock.now())
    },
  }
}

/** A key that was rotated is revoked at a time to come, and opens until then. */
export const isWorking = ({ revokedMs }: OperatorKeyRow, nowMs: number): boolean =>
  revokedMs === undefined || nowMs < revokedMs

function toWorking({ id, label, scopes, digest }: OperatorKeyRow): WorkingKey {
  return { id, label, scopes, digest: Buffer.from(digest, 'hex') }
}

/** Compares with every key, also after one was found: how long it takes tells nothing of any of them. */
export function findKey(keys: readonly WorkingKey[], given: string): WorkingKey | undefined {
  const digest = digestOf(given)
  let found: WorkingKey | undefined
  for (const key of keys) if (timingSafeEqual(key.digest, digest)) found = key
  return found
}
