import { TEXT } from '../basic-tables.ts'
import { neverRemoved, refuse } from '../guards.ts'

/** One row: who leads, or was the last to lead. Each time somebody takes it over the term rises, and never falls. */
export const LEADER = `
  CREATE TABLE leader (
    one integer PRIMARY KEY CHECK (one = 1),
    term bigint NOT NULL CHECK (term >= 1),
    holder ${TEXT} NOT NULL,
    since timestamptz NOT NULL
  );
  ${refuse('leader_term_rises', 'UPDATE ON leader', 'the term of a leader only rises', 'NEW.term <= OLD.term')}
  ${neverRemoved('leader')}
`

/** Of this ledger alone: several schemas of one database may each have one. */
const LEAD_CLASS = `x'544c424c'`
const KEY = `${LEAD_CLASS}::integer, 'leader'::regclass::oid::integer`
/** Held by every session that leads or asks to, so that each can see the others. */
const PRESENT_CLASS = `x'544c4250'`
const PRESENT = `${PRESENT_CLASS}::integer, 'leader'::regclass::oid::integer`
export const BE_PRESENT = `SELECT pg_advisory_lock_shared(${PRESENT})`
/** Who holds which lock, of this ledger. An object id is unsigned there, and signed above. */
const heldLocks = (lockClass: string) => `
  SELECT FROM pg_locks
  WHERE locktype = 'advisory' AND classid::bigint = ${lockClass}::bigint AND objid = 'leader'::regclass::oid
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND granted`
export const ARE_OTHERS_PRESENT = `
  SELECT EXISTS (${heldLocks(PRESENT_CLASS)} AND pid <> pg_backend_pid()) AS are_present`
export const TRY_LOCK = `SELECT pg_try_advisory_lock(${KEY}) AS is_ours`

/**
 * Waits for whoever still acts in an earlier term. Only under the lock. A term is the second in which it began, or the
 * next after the last: a database that was put back, or a standby that lagged, does not count again what it has lost, and
 * whoever has heard of the lost terms believes the new one.
 */
export const RAISE = `
  INSERT INTO leader VALUES (1, extract(epoch FROM clock_timestamp())::bigint, $1, clock_timestamp())
  ON CONFLICT (one) DO UPDATE
    SET term = greatest(leader.term + 1, excluded.term), holder = excluded.holder, since = excluded.since
  RETURNING term`
export const READ = 'SELECT term, holder, since FROM leader'
/**
 * A heartbeat: the server ends a session that says nothing for longer. False where this is not the session that has the
 * lock, as behind a pooler that gives each statement another one.
 */
export const BEAT = `SELECT EXISTS (${heldLocks(LEAD_CLASS)} AND pid = pg_backend_pid()) AS is_ours`

/**
 * Holds the term until the transaction ends: nobody can lead in a later one before. A process that stands still in the
 * middle of it must not keep others waiting.
 */
export const HOLD_TERM = `
  SELECT set_config('idle_in_transaction_session_timeout', $2, true) FROM leader WHERE term = $1 FOR SHARE`
