import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  isServerMissing,
  type PostgresServer,
  startPostgres,
} from '../../../testing/ledger/postgres-server.ts'
import { type Database, openDatabase } from '../database.ts'
import { openLedgerDatabase } from '../open-ledger.ts'

const SCRIPT = fileURLToPath(new URL('../../../testing/ledger/leading-process.ts', import.meta.url))
const TAKEN_OVER_WITHIN_MS = 5_000

type Said = { what: 'leads' | 'acted' | 'refused' | 'lost'; term?: number; atMs: number }
type Candidate = { name: string; child: ChildProcess; said: Said[] }

describe.skipIf(isServerMissing)('of two processes on one ledger', () => {
  let server: PostgresServer
  let database: Database
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server?.end())

  const admin = async (sql: string) => {
    const opened = openDatabase(server.url)
    return opened.query(sql).finally(() => opened.close())
  }
  const candidate = (url: string, name: string): Candidate => {
    const child = spawn(process.execPath, [SCRIPT, url, name], { stdio: ['ignore', 'pipe', 'inherit'] })
    const said: Said[] = []
    createInterface(child.stdout).on('line', (line) => said.push(JSON.parse(line)))
    onTestFinished(async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    })
    return { name, child, said }
  }
  const hasActed = ({ said }: Candidate, after: number) =>
    said.some((each) => each.what === 'acted' && (each.term ?? 0) > after)
  const untilOneActs = (of: readonly Candidate[], after: number) =>
    expect.poll(() => of.some((who) => hasActed(who, after)), { timeout: 20_000, interval: 10 }).toBe(true)

  /** One that leads, and one that waits. */
  async function scene() {
    const schema = `s${Math.random().toString(36).slice(2)}`
    await admin(`CREATE SCHEMA ${schema}`)
    const url = `${server.url}?options=-c%20search_path%3D${schema}`
    database = await openLedgerDatabase(url)
    await database.exec('CREATE TABLE acts (seq bigserial PRIMARY KEY, holder text, term bigint)')
    onTestFinished(() => database.close())
    const first = candidate(url, 'first')
    await untilOneActs([first], 0)
    const second = candidate(url, 'second')
    await wait(1_500)
    expect(second.said).toEqual([])
    return { first, second, term: first.said[0]?.term ?? 0 }
  }

  /** Nobody who acts in a term finds rows of a later one: the rows in their order have terms that only rise. */
  async function checkActs() {
    const { rows } = await database.query('SELECT term, holder FROM acts ORDER BY seq')
    const terms = rows.map(({ term }) => Number(term))
    expect(terms).toEqual([...terms].sort((a, b) => a - b))
    const holders = new Map(rows.map(({ term, holder }) => [Number(term), holder]))
    expect(rows.every(({ term, holder }) => holders.get(Number(term)) === holder)).toBe(true)
    expect(rows.length).toBeGreaterThan(0)
  }
  const timesOf = (of: readonly Candidate[], after: number) =>
    of
      .flatMap(({ said }) => said.filter((each) => each.what === 'leads' && (each.term ?? 0) > after))
      .map(({ atMs }) => atMs)
  const firstOf = (of: readonly Candidate[], after: number) => Math.min(...timesOf(of, after))
  const lastOf = (of: readonly Candidate[]) => Math.max(...timesOf(of, 0))

  test('the other leads within 5 s of a leader who was killed', { timeout: 40_000 }, async () => {
    const { first, second, term } = await scene()
    const killedMs = Date.now()
    first.child.kill('SIGKILL')
    await untilOneActs([second], term)
    expect(firstOf([second], term) - killedMs).toBeLessThan(TAKEN_OVER_WITHIN_MS)
    await checkActs()
  })

  test('the other leads within 5 s of a leader who stands still, and he never acts again', {
    timeout: 60_000,
  }, async () => {
    const { first, second, term } = await scene()
    const stoppedMs = Date.now()
    first.child.kill('SIGSTOP')
    await untilOneActs([second], term)
    expect(firstOf([second], term) - stoppedMs).toBeLessThan(TAKEN_OVER_WITHIN_MS)
    await wait(Math.max(0, stoppedMs + 10_000 - Date.now()))
    first.child.kill('SIGCONT')
    await expect.poll(() => first.said.at(-1)?.what, { timeout: 10_000 }).toBe('lost')
    // Nothing of his was written in between, and after it he never took himself for the leader.
    expect(lastOf([first])).toBeLessThan(firstOf([second], term))
    await checkActs()
  })

  test('whose session is ended: one of the two leads within 5 s, and never both', {
    timeout: 40_000,
  }, async () => {
    const { first, second, term } = await scene()
    const cutMs = Date.now()
    await admin(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'tollbook leader'",
    )
    await untilOneActs([first, second], term)
    expect(firstOf([first, second], term) - cutMs).toBeLessThan(TAKEN_OVER_WITHIN_MS)
    await wait(2_000)
    await checkActs()
  })

  test('after the server was stopped and started one of them leads, in a later term', {
    timeout: 60_000,
  }, async () => {
    const { first, second, term } = await scene()
    await server.stop('fast')
    const downMs = Date.now()
    await wait(500)
    const leading = [first, second].filter(({ said }) => (said.at(-1)?.atMs ?? 0) > downMs + 300)
    expect(leading).toEqual([])
    await server.start()
    const upMs = Date.now()
    await untilOneActs([first, second], term)
    expect(firstOf([first, second], term) - upMs).toBeLessThan(TAKEN_OVER_WITHIN_MS)
    await wait(2_000)
    await checkActs()
  })
})
