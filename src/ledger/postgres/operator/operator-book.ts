import type { Clock } from '../../../core/time/clock.ts'
import type { OperatorBook } from '../../ports/operator-book.ts'
import type { Database } from '../database.ts'
import { createPostgresAudit } from './audit.ts'
import { createPostgresBoard } from './board.ts'
import { createPostgresKeys } from './keys.ts'

/** `close` saves what was noted and not yet written. */
export function createPostgresOperatorBook(
  database: Database,
  clock: Clock,
): { book: OperatorBook; close(): Promise<void> } {
  const keys = createPostgresKeys(database, clock)
  const audit = createPostgresAudit(database, clock)
  return {
    book: {
      ...keys.book,
      ...createPostgresBoard(database),
      ...audit.book,
      get auditDropped() {
        return audit.dropped()
      },
    },
    async close() {
      await Promise.all([keys.close(), audit.close()])
    },
  }
}
