import type { DueRow, Turn } from '../../ports/payment-book.ts'
import type { Query } from '../database.ts'
import { COLUMNS, toDue } from './payment-row.ts'

/**
 * Who asks at the same moment skips what another one is taking; who asked a moment too early to see it taken finds the
 * turn moved when he writes, and leaves it.
 */
const TAKE = `
  WITH due AS (
    SELECT p.seq FROM payments p LEFT JOIN payment_turns t ON t.payment = p.seq
    WHERE p.state = 'settling' AND coalesce(t.from_ms, 0) <= $1
    ORDER BY coalesce(t.from_ms, 0), p.claimed_at_ms, p.seq LIMIT $2 FOR UPDATE OF p SKIP LOCKED
  )
  INSERT INTO payment_turns AS t (payment, from_ms, taken) SELECT seq, $1 + $3, 1 FROM due
  ON CONFLICT (payment) DO UPDATE SET from_ms = $1 + least($4, $3 * 2 ^ least(t.taken, 20)), taken = t.taken + 1
    WHERE t.from_ms <= $1
  RETURNING payment`
const TAKEN = `
  SELECT ${COLUMNS} FROM payments p WHERE p.seq = ANY($1) AND p.state = 'settling' ORDER BY p.claimed_at_ms, p.seq`
const FORGET =
  "DELETE FROM payment_turns t USING payments p WHERE p.seq = t.payment AND p.state NOT IN ('claimed', 'settling')"

/** Turns are numbers beside the payments, which never change while they wait. */
export async function takeDue(query: Query, { nowMs, limit, pauses }: Turn): Promise<readonly DueRow[]> {
  const { rows } = await query(TAKE, [nowMs, limit, pauses.firstMs, pauses.maxMs])
  if (rows.length === 0) return []
  await query(FORGET)
  return (await query(TAKEN, [rows.map(({ payment }) => payment)])).rows.map(toDue)
}
