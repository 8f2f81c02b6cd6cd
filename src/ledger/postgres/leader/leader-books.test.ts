import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dropSchemas, freshSchema, isPostgresMissing } from '../../../testing/ledger/postgres.ts'
import type { Database } from '../database.ts'
import { openLedgerDatabase } from '../open-ledger.ts'
import { createLeaderBooks, type LeaderBooks } from './leader-books.ts'

afterAll(dropSchemas)

/** Of the operator, in whichever process. */
const ANYBODYS = ['addConfig', 'addBreaker', 'addBossSignal']
const refused = { message: expect.stringContaining('nothing was written') }

describe.skipIf(isPostgresMissing)('a process that does not lead', () => {
  let database: Database
  let books: LeaderBooks
  const asked: string[] = []
  beforeAll(async () => {
    database = await openLedgerDatabase(await freshSchema())
    // What is read is told by the statements that get through; none of them may write.
    const watched: Database = {
      ...database,
      query(sql) {
        asked.push(sql)
        return Promise.resolve({ rows: [], count: 0 })
      },
      transaction: (work) => work({ query: watched.query, exec: async (sql) => void asked.push(sql) }),
    }
    books = createLeaderBooks(watched, { term: () => undefined })
  })
  afterAll(() => database?.close())

  test.each(['record', 'bot', 'paper', 'uptime'] as const)('writes nothing into the %s', async (name) => {
    const given = { leaves: [], head: {}, keep: [], forget: [], fills: [], days: [], incidents: [], life: {} }
    let refusals = 0
    for (const [method, call] of Object.entries(books[name])) {
      if (ANYBODYS.includes(method)) continue
      asked.length = 0
      const outcome = await Promise.resolve()
        .then(() => (call as (...args: unknown[]) => Promise<unknown>)(given, given))
        .catch((error: unknown) => error)
      const isRefused = /nothing was written/.test(String(outcome))
      if (isRefused) refusals++
      const writes = asked.filter((sql) => /\b(INSERT|UPDATE|DELETE|LOCK)\b/.test(sql))
      expect([method, writes]).toEqual([method, []])
    }
    expect(refusals).toBeGreaterThan(0)
  })

  test('is told so', async () => {
    await expect(books.paper.pay({} as never)).rejects.toMatchObject(refused)
  })
})
