import { describe, expect, onTestFinished, test } from 'vitest'
import { isServerMissing, startPostgres } from '../../testing/ledger/postgres-server.ts'
import { openDatabase } from './database.ts'
import { openLockSession } from './leader/lock-session.ts'
import { openLedgerDatabase } from './open-ledger.ts'

describe.skipIf(isServerMissing)('a server that stands still', () => {
  test('keeps nobody from stopping', async () => {
    const server = await startPostgres()
    onTestFinished(server.end)
    await (await openLedgerDatabase(server.url)).close()
    const database = openDatabase(server.url)
    const session = await openLockSession(server.url, () => {})
    const { rows } = await database.query(
      "SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'tollbook%'",
    )
    const pids = rows.map(({ pid }) => Number(pid))
    expect(pids).toHaveLength(2)
    for (const pid of pids) process.kill(pid, 'SIGSTOP')
    onTestFinished(() => {
      for (const pid of pids) process.kill(pid, 'SIGCONT')
    })
    await Promise.all([database.close(), session.end()])
  })
})
