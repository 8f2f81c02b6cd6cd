import type { Secret } from '../../../core/secret.ts'
import { onDatabase } from '../../../ledger/postgres/on-database.ts'
import { type Check, failure, ok, warning } from '../check.ts'

const ASK = `
  SELECT current_setting('fsync') AS fsync, current_setting('full_page_writes') AS pages,
    current_setting('synchronous_standby_names') AS awaited, (SELECT count(*) FROM pg_stat_replication) AS copies,
    (SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'async') AS late`
const LOST = 'a settled payment that is lost buys again'

/** That what the database has told as written survives a power cut, and a standby that takes over. Changes nothing. */
export function durabilityCheck(url: Secret): Check {
  return {
    name: 'commits',
    group: 'machine',
    advice: 'see that PostgreSQL runs and that DATABASE_URL is right',
    run: () =>
      onDatabase(url.reveal(), async ({ query }) => {
        const [server] = (await query(ASK)).rows
        if (server?.fsync !== 'on' || server.pages !== 'on')
          return warning(
            `the database does not wait for its disk: after a power cut ${LOST}`,
            'set fsync = on and full_page_writes = on in postgresql.conf and restart PostgreSQL',
          )
        if (server.awaited !== '' && Number(server.copies) === 0)
          return failure(
            `the database waits for ${server.awaited} before a write counts, and no standby is connected: nothing can be sold`,
            'start the standby; until then take it out of synchronous_standby_names and reload PostgreSQL',
          )
        // Whether a single one is waited for is told to those who may watch the server only.
        const late = Number(server.awaited === '' ? server.copies : server.late)
        if (late > 0)
          return warning(
            `${late === 1 ? 'a copy of the database is' : `${late} copies of the database are`} written later than it: if one takes over, ${LOST}`,
            'name those that may take over in synchronous_standby_names; one that only serves readings, or a backup, may stay as it is',
          )
        return ok(
          server.awaited === ''
            ? 'on disk before they count; no standby is connected'
            : 'on disk, and at a standby, before they count',
        )
      }),
  }
}
