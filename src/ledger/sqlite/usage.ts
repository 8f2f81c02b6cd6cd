import type { DatabaseSync } from 'node:sqlite'
import type { Clock } from '../../core/time/clock.ts'
import { DAY_MS } from '../../core/time/time.ts'
import type { UsageLog, UsageSum, Via } from '../ports/usage-log.ts'
import { createUsageTally, sumOf } from '../usage-tally.ts'
import type { GroupCommit } from './group-commit.ts'

/** At most one transaction a second, shared with whatever else is written in that turn. */
const SAVE_AFTER_MS = 1_000

export function createSqliteUsage(
  db: DatabaseSync,
  commit: GroupCommit,
  clock: Clock,
): { log: UsageLog; close(): void } {
  const { upsert, select } = prepareStatements(db)
  const tally = createUsageTally()
  let cancelSave: (() => void) | undefined
  let dropped = 0

  const save = async () => {
    cancelSave?.()
    cancelSave = undefined
    const sums = tally.take()
    if (sums.length === 0) return
    try {
      await commit.write(() => sums.forEach(upsert))
    } catch (error) {
      sums.forEach(count)
      throw error
    }
  }
  const count = (sum: UsageSum) => {
    if (!tally.add(sum)) dropped += sum.calls
  }
  // Counts that could not be saved are tried again later; the other writers report the outage.
  const saveQuietly = () => void save().catch(() => {})
  return {
    log: {
      record(event) {
        count(sumOf(event))
        cancelSave ??= clock.after(SAVE_AFTER_MS, saveQuietly)
      },
      async perDay(sinceMs) {
        await save()
        return commit.read(() => select(Math.floor(sinceMs / DAY_MS)))
      },
      get dropped() {
        return dropped
      },
    },
    close: saveQuietly,
  }
}

function prepareStatements(db: DatabaseSync) {
  const upsert = db.prepare(`
    INSERT INTO usage (day, product_id, via, status, calls, timed, total_ms, max_ms)
    VALUES (:day, :productId, :via, :status, :calls, :timed, :totalMs, :maxMs)
    ON CONFLICT (day, product_id, via, status) DO UPDATE SET calls = calls + excluded.calls,
      timed = timed + excluded.timed, total_ms = total_ms + excluded.total_ms, max_ms = max(max_ms, excluded.max_ms)
  `)
  const since = db.prepare('SELECT * FROM usage WHERE day >= ? ORDER BY day, product_id, via, status')
  return {
    upsert: (sum: UsageSum): void => void upsert.run(sum),
    select: (day: number): UsageSum[] =>
      since.all(day).map((row) => ({
        day: Number(row.day),
        productId: String(row.product_id),
        // The table's own CHECK allows no other text.
        via: String(row.via) as Via,
        status: Number(row.status),
        calls: Number(row.calls),
        timed: Number(row.timed),
        totalMs: Number(row.total_ms),
        maxMs: Number(row.max_ms),
      })),
  }
}
