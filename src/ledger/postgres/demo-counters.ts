import pg from 'pg'
import { ServiceError } from '../../core/service-error.ts'
import type { DemoCounters, Taken } from '../ports/demo-counters.ts'
import type { Columns, Database } from './database.ts'

const FORGET = 'DELETE FROM demo_calls WHERE day < $1'
const SELECT = 'SELECT client, used FROM demo_calls WHERE day = $1 AND used > 0'
const USED = 'SELECT client, used FROM demo_calls WHERE day = $1 AND client = ANY ($2::text[])'

/**
 * Who has nothing left by what the statement sees is refused without a write. Where another process is faster, the count
 * that would go over its limit becomes one that the table refuses, and with it the whole statement. In the order of
 * their clients, so that two processes never wait for each other.
 */
const TAKE = `
  WITH given AS (SELECT * FROM unnest($2::text[], $3::bigint[]) AS given (client, most)),
  taken AS (
    INSERT INTO demo_calls AS kept (day, client, used)
    SELECT $1, client, 1 FROM given
    WHERE NOT EXISTS (
      SELECT FROM given AS each LEFT JOIN demo_calls ON day = $1 AND demo_calls.client = each.client
      WHERE coalesce(used, 0) >= most)
    ORDER BY client
    ON CONFLICT (day, client) DO UPDATE SET used = CASE
      WHEN kept.used < (SELECT most FROM given WHERE given.client = kept.client) THEN kept.used + 1
      ELSE -1 END
    RETURNING client, used
  )
  SELECT client, used, true AS is_taken FROM taken
  UNION ALL
  SELECT client, used, false FROM demo_calls
  WHERE day = $1 AND client = ANY ($2::text[]) AND NOT EXISTS (SELECT FROM taken)`
const CHECK_VIOLATION = '23514'
/** Each further one means that others took a call meanwhile. */
const TAKE_TRIES = 5

const GIVE_BACK = `
  WITH held AS (
    SELECT client FROM demo_calls WHERE day = $1 AND client = ANY ($2::text[]) AND used > 0
    ORDER BY client FOR UPDATE)
  UPDATE demo_calls SET used = used - 1 FROM held
  WHERE day = $1 AND demo_calls.client = held.client AND used > 0`
/** Who has used nothing leaves nothing behind; rows that somebody is about to use stay. */
const TIDY = `
  WITH held AS (
    SELECT client FROM demo_calls WHERE day = $1 AND client = ANY ($2::text[]) AND used = 0
    FOR UPDATE SKIP LOCKED)
  DELETE FROM demo_calls USING held WHERE day = $1 AND demo_calls.client = held.client`

export function createPostgresDemoCounters({ query }: Database): DemoCounters {
  let newestDay = 0
  const turnDay = (day: number) => {
    if (day <= newestDay) return
    newestDay = day
    // What could not be forgotten only takes up room.
    query(FORGET, [day - 1]).catch(() => {})
  }
  const used = async (day: number, keys: readonly string[]) => inOrder(keys, await query(USED, [day, keys]))
  return {
    async load(day) {
      const { rows } = await query(SELECT, [day])
      return new Map(rows.map((row) => [String(row.client), Number(row.used)]))
    },
    used,
    async take(day, limits) {
      turnDay(day)
      const keys = limits.map(([key]) => key)
      const values = [day, keys, limits.map(([, limit]) => limit)]
      for (let tried = 0; tried < TAKE_TRIES; tried++) {
        const found = await query(TAKE, values).catch(undefinedIfRefused)
        if (found) return toTaken(keys, found.rows)
      }
      return { isTaken: false, used: await used(day, keys) }
    },
    async giveBack(day, keys) {
      await query(GIVE_BACK, [day, keys])
      await query(TIDY, [day, keys])
    },
  }
}

const toTaken = (keys: readonly string[], rows: readonly Columns[]): Taken => ({
  isTaken: rows.some((row) => row.is_taken === true),
  used: inOrder(keys, { rows }),
})

function inOrder(keys: readonly string[], { rows }: { rows: readonly Columns[] }): number[] {
  const used = new Map(rows.map((row) => [String(row.client), Number(row.used)]))
  return keys.map((key) => used.get(key) ?? 0)
}

function undefinedIfRefused(error: unknown): undefined {
  const cause = error instanceof ServiceError ? error.cause : undefined
  if (cause instanceof pg.DatabaseError && cause.code === CHECK_VIOLATION) return undefined
  throw error
}
