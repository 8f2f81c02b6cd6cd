import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { secret } from '../../../core/secret.ts'
import { onDatabase } from '../../../ledger/postgres/on-database.ts'
import { findProgram, isServerMissing, startPostgres } from '../../../testing/ledger/postgres-server.ts'
import { durabilityCheck } from './durability.ts'

describe.skipIf(isServerMissing)('what a database has told as written', () => {
  async function serve(...settings: string[]) {
    const server = await startPostgres(...settings)
    onTestFinished(server.end)
    const check = durabilityCheck(secret(server.url))
    return { url: server.url, look: () => check.run(new AbortController().signal) }
  }
  /** Reads the log of the server as a standby does; says what is on its own disk only where it is waited for. */
  function copy(url: string, ...more: string[]) {
    const dir = mkdtempSync(join(tmpdir(), 'copy-'))
    const child = spawn(findProgram('pg_receivewal'), ['-D', dir, '-d', url, '--no-loop', ...more], {
      stdio: 'ignore',
    })
    onTestFinished(async () => {
      child.kill('SIGKILL')
      await once(child, 'exit')
      rmSync(dir, { recursive: true, force: true })
    })
  }

  const copiesOf = (url: string) =>
    onDatabase(url, async ({ query }) =>
      (await query('SELECT sync_state FROM pg_stat_replication')).rows.map(({ sync_state }) => sync_state),
    )

  test('may be lost where the server does not wait for its disk', async () => {
    const { look } = await serve()
    expect(await look()).toMatchObject({ state: 'warning', what: expect.stringContaining('power cut') })
  })

  test('may be lost with a takeover where a copy is not waited for', async () => {
    const { url, look } = await serve('-c', 'fsync=on')
    expect(await look()).toMatchObject({ state: 'ok', what: expect.stringContaining('no standby') })
    copy(url)
    await expect.poll(look, { timeout: 10_000 }).toMatchObject({
      state: 'warning',
      what: expect.stringContaining('a copy of the database is written later'),
    })
  })

  test('is kept where commits wait for a standby', async () => {
    const { url, look } = await serve('-c', 'fsync=on', '-c', 'synchronous_standby_names=pg_receivewal')
    expect(await look()).toMatchObject({ state: 'failure', what: expect.stringContaining('pg_receivewal') })
    copy(url, '--synchronous')
    // As long as it catches up it is not waited for.
    await expect
      .poll(look, { timeout: 10_000 })
      .toMatchObject({ state: 'ok', what: expect.stringContaining('at a standby') })
    await expect.poll(() => copiesOf(url)).toEqual(['sync'])
    expect(await look()).toMatchObject({ state: 'ok' })
    // A second one that is not named is written later, whoever else is waited for.
    copy(`${url}?application_name=other`)
    await expect.poll(look, { timeout: 10_000 }).toMatchObject({ state: 'warning' })
  })
})
