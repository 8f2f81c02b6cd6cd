import pg from 'pg'
import { SECOND_MS } from '../../../core/time/time.ts'
import type { Columns, Query } from '../database.ts'
import { endSoon } from '../end-soon.ts'
import type { CheckLedger } from '../identity/same-ledger.ts'
import { ARE_OTHERS_PRESENT, BE_PRESENT, BEAT, RAISE, READ, TRY_LOCK } from './leader-table.ts'

/** Who leads, or was the last to. */
export type Leader = { term: number; holder: string }

/** A connection of its own: the lock is gone when it ends, however it ends. */
export type LockSession = {
  /** False while another session has it. */
  tryLock(): Promise<boolean>
  /** The next term, for `holder`. Only with the lock. */
  raise(holder: string): Promise<number>
  read(): Promise<Leader | undefined>
  /** Rejects where the lock is not this session's. */
  beat(): Promise<void>
  /** Another process leads or asks to. */
  areOthersPresent(): Promise<boolean>
  end(): Promise<void>
}

/**
 * The server ends the session of a leader who says nothing for so long, and with it his lock: also of a process that
 * stands still, or that a network no longer reaches.
 */
export const SILENT_SESSION_MS = 3 * SECOND_MS
const ANSWER_WITHIN_MS = 2 * SECOND_MS
/** Said on the session: a pooler may leave out, or refuse, what comes with its opening. */
const LIMITS = `
  SELECT set_config('idle_session_timeout', '${SILENT_SESSION_MS}', false),
    set_config('statement_timeout', '${ANSWER_WITHIN_MS}', false)`
const NOT_OURS =
  'the lock of the leader is not in this session: DATABASE_URL must lead to PostgreSQL itself, or to a pooler that keeps sessions apart'

/** `onEnd`: the server has ended it, and with it the lock. */
export async function openLockSession(
  url: string,
  onEnd: () => void,
  checkLedger: CheckLedger = async () => {},
): Promise<LockSession> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'tollbook leader',
    connectionTimeoutMillis: ANSWER_WITHIN_MS,
    query_timeout: ANSWER_WITHIN_MS,
  })
  // Each call is told by itself; without a listener an event of this name ends the process.
  client.on('error', onEnd)
  client.on('end', onEnd)
  await client.connect()
  const query: Query = async (text, values = []) => {
    const { rows, rowCount } = await client.query<Columns>(text, [...values])
    return { rows, count: rowCount ?? 0 }
  }
  const ask = async (text: string, values: unknown[] = []) => (await query(text, values)).rows[0]
  try {
    await ask(LIMITS)
    await checkLedger(query)
    await ask(BE_PRESENT)
  } catch (error) {
    await endSoon(client.end())
    throw error
  }
  return {
    tryLock: async () => (await ask(TRY_LOCK))?.is_ours === true,
    raise: async (holder) => Number((await ask(RAISE, [holder]))?.term),
    async read() {
      const row = await ask(READ)
      return row && { term: Number(row.term), holder: String(row.holder) }
    },
    async beat() {
      if ((await ask(BEAT))?.is_ours !== true) throw new Error(NOT_OURS)
    },
    areOthersPresent: async () => (await ask(ARE_OTHERS_PRESENT))?.are_present === true,
    end: () => endSoon(client.end()),
  }
}
