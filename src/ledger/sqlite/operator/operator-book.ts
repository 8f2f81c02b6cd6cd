import type { DatabaseSync } from 'node:sqlite'
import type { Clock } from '../../../core/time/clock.ts'
import type { OperatorBook } from '../../ports/operator-book.ts'
import type { GroupCommit } from '../group-commit.ts'
import { createSqliteAudit } from './audit.ts'
import { createSqliteBoard } from './board.ts'
import { createSqliteKeys } from './keys.ts'

/** `close` saves what was noted and not yet written. */
export function createSqliteOperatorBook(
  db: DatabaseSync,
  commit: GroupCommit,
  clock: Clock,
): { book: OperatorBook; close(): void } {
  const keys = createSqliteKeys(db, commit, clock)
  const audit = createSqliteAudit(db, commit, clock)
  return {
    book: {
      ...keys.book,
      ...createSqliteBoard(db, commit),
      ...audit.book,
      get auditDropped() {
        return audit.dropped()
      },
    },
    close() {
      keys.close()
      audit.close()
    },
  }
}
