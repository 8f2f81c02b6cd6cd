import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { isServerMissing, startPostgres } from '../../testing/ledger/postgres-server.ts'
import { type Database, openDatabase } from './database.ts'
import { inOneMoment } from './one-moment.ts'

const LONGER_THAN_AN_ANSWER_TAKES_MS = 20_000

describe.skipIf(isServerMissing)('a server that falls silent as a report begins', () => {
  test('is an outage as soon as for any other question', async () => {
    const server = await startPostgres()
    onTestFinished(server.end)
    const database = openDatabase(server.url)
    onTestFinished(database.close)
    const begun = Promise.withResolvers<void>()
    const transaction: Database['transaction'] = (work) =>
      database.transaction(async (statements) => {
        const { rows } = await statements.query('SELECT pg_backend_pid() AS pid')
        stop(Number(rows[0]?.pid))
        vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
        onTestFinished(() => void vi.useRealTimers())
        begun.resolve()
        return work(statements)
      })
    const ended = vi.fn()
    const asked = inOneMoment({ transaction }, async () => 'nobody hears of it').catch(ended)
    await begun.promise
    await new Promise((resolve) => setImmediate(resolve))
    await vi.advanceTimersByTimeAsync(LONGER_THAN_AN_ANSWER_TAKES_MS)
    expect(ended).toHaveBeenCalledWith(expect.objectContaining({ code: 'store_unavailable' }))
    await asked
  })
})

function stop(pid: number): void {
  process.kill(pid, 'SIGSTOP')
  onTestFinished(() => void process.kill(pid, 'SIGCONT'))
}
