import type { Clock } from '../../core/time/clock.ts'
import { AUDIT_WAITING } from '../audit-limits.ts'
import { createLater, type Later } from '../later.ts'
import type { AuditRow, OperatorBook } from '../ports/operator-book.ts'

export type AuditNote = Omit<AuditRow, 'seq'>
export type AuditNotes = {
  add(note: AuditNote): void
  later: Later
  dropped(): OperatorBook['auditDropped']
}

/** Calls that are noted at once and written soon, oldest first. */
export function createAuditNotes(
  clock: Clock,
  write: (notes: readonly AuditNote[]) => Promise<unknown>,
): AuditNotes {
  const waiting = createWaiting(clock)
  const later = createLater(clock, async () => {
    const notes = waiting.take()
    if (notes.length === 0) return
    try {
      await write(notes)
    } catch (error) {
      waiting.putBack(notes)
      throw error
    }
  })
  return {
    add(note) {
      waiting.add({ ...note })
      later.plan()
    },
    later,
    dropped: waiting.dropped,
  }
}

/** Rows that are not written yet, oldest first; what is too many is counted and dropped. */
function createWaiting(clock: Clock) {
  let notes: AuditNote[] = []
  /** By key; strangers count together. */
  let counts = new Map<string | undefined, number>()
  let dropped: OperatorBook['auditDropped'] = { rows: 0, lastMs: undefined }
  const add = (note: AuditNote) => {
    const count = counts.get(note.keyId) ?? 0
    if (notes.length >= AUDIT_WAITING.rows || count >= AUDIT_WAITING.rowsOfOne)
      dropped = { rows: dropped.rows + 1, lastMs: clock.now() }
    else {
      notes.push(note)
      counts.set(note.keyId, count + 1)
    }
  }
  const take = () => {
    const taken = notes
    notes = []
    counts = new Map()
    return taken
  }
  return {
    add,
    take,
    putBack: (taken: readonly AuditNote[]) => [...taken, ...take()].forEach(add),
    dropped: () => dropped,
  }
}
