import type { Clock } from '../../core/time/clock.ts'
import { DAY_MS } from '../../core/time/time.ts'
import { createLater } from '../later.ts'
import type { UsageLog, UsageSum, Via } from '../ports/usage-log.ts'
import { createUsageTally, sumOf } from '../usage-tally.ts'
import { TEXT } from './basic-tables.ts'
import type { Columns, Database } from './database.ts'

export const USAGE = `
  CREATE TABLE usage (
    day bigint NOT NULL,
    product_id ${TEXT} NOT NULL,
    via ${TEXT} NOT NULL CHECK (via IN ('paid', 'demo', 'holder', 'free')),
    status integer NOT NULL,
    calls bigint NOT NULL CHECK (calls > 0),
    timed bigint NOT NULL,
    total_ms double precision NOT NULL,
    max_ms double precision NOT NULL,
    PRIMARY KEY (day, product_id, via, status)
  );
`

/** In one order, so that two processes never wait for each other. */
const ADD = `
  INSERT INTO usage (day, product_id, via, status, calls, timed, total_ms, max_ms)
  SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::integer[], $5::bigint[], $6::bigint[],
    $7::double precision[], $8::double precision[]) ORDER BY 1, 2, 3, 4
  ON CONFLICT (day, product_id, via, status) DO UPDATE SET calls = usage.calls + excluded.calls,
    timed = usage.timed + excluded.timed, total_ms = usage.total_ms + excluded.total_ms,
    max_ms = greatest(usage.max_ms, excluded.max_ms)`
const SINCE = 'SELECT * FROM usage WHERE day >= $1 ORDER BY day, product_id, via, status'

const FIELDS = ['day', 'productId', 'via', 'status', 'calls', 'timed', 'totalMs', 'maxMs'] as const

export function createPostgresUsage(
  { query }: Database,
  clock: Clock,
): { log: UsageLog; close(): Promise<void> } {
  const tally = createUsageTally()
  let dropped = 0
  const count = (sum: UsageSum) => {
    if (!tally.add(sum)) dropped += sum.calls
  }
  const later = createLater(clock, async () => {
    const sums = tally.take()
    if (sums.length === 0) return
    try {
      await query(
        ADD,
        FIELDS.map((field) => sums.map((sum) => sum[field])),
      )
    } catch (error) {
      sums.forEach(count)
      throw error
    }
  })
  return {
    log: {
      record(event) {
        count(sumOf(event))
        later.plan()
      },
      async perDay(sinceMs) {
        await later.run()
        return (await query(SINCE, [Math.floor(sinceMs / DAY_MS)])).rows.map(toSum)
      },
      get dropped() {
        return dropped
      },
    },
    close: later.close,
  }
}

const toSum = (row: Columns): UsageSum => ({
  day: Number(row.day),
  productId: String(row.product_id),
  // The table's own CHECK allows no other text.
  via: String(row.via) as Via,
  status: Number(row.status),
  calls: Number(row.calls),
  timed: Number(row.timed),
  totalMs: Number(row.total_ms),
  maxMs: Number(row.max_ms),
})
