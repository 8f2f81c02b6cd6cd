import { copyFileSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { openLedgerDatabase } from '../../ledger/postgres/open-ledger.ts'
import { createPostgresRecordBook } from '../../ledger/postgres/record/record-book.ts'
import { makeNextKey } from '../../payments/receipts/service-key.ts'
import { createRecordLog } from '../../record/log/record-log.ts'
import { dropSchemas, freshSchema, isPostgresMissing } from '../../testing/ledger/postgres.ts'
import { temporaryDir } from '../../testing/ledger/temporary-dir.ts'
import { openSharedServiceKey } from './shared-service-key.ts'

afterAll(dropSchemas)

const keyFile = (dir: string) => join(dir, 'service-key.json')

async function ledger() {
  const database = await openLedgerDatabase(await freshSchema())
  onTestFinished(() => database.close())
  return { database, open: (dir: string) => openSharedServiceKey(database, dir, 1) }
}

/** A data directory with the key of another one, as an operator copies it. */
function withKeyOf(other: string): string {
  const dir = temporaryDir()
  mkdirSync(dir, { recursive: true })
  copyFileSync(keyFile(other), keyFile(dir))
  return dir
}

describe.skipIf(isPostgresMissing)('the service key of several processes', () => {
  test('is made by the first start, and every process must have it', async () => {
    const { open } = await ledger()
    const first = temporaryDir()
    const { id } = await open(first)
    expect((await open(withKeyOf(first))).id).toBe(id)
    const none = temporaryDir()
    await expect(open(none)).rejects.toThrow(
      new RegExp(
        `is missing, and what this ledger offers was signed with ${id}[\\s\\S]*copy service-key.json from`,
      ),
    )
    expect(existsSync(keyFile(none))).toBe(false)
    const { open: openOther } = await ledger()
    const other = temporaryDir()
    const { id: otherId } = await openOther(other)
    await expect(open(other)).rejects.toThrow(`holds another key, ${otherId}`)
  })

  test('is one of those that several first starts make at once', async () => {
    const { open } = await ledger()
    const ends = await Promise.allSettled(Array.from({ length: 4 }, () => open(temporaryDir())))
    const won = ends.filter((end) => end.status === 'fulfilled')
    expect(won).toHaveLength(1)
    for (const end of ends)
      if (end.status === 'rejected')
        expect(String(end.reason)).toContain(`was signed with ${won[0]?.value.id}`)
  })

  test('that was replaced is known by the record: the old one is refused, the new one is let in', async () => {
    const { database, open } = await ledger()
    const first = temporaryDir()
    const old = await open(first)
    const second = withKeyOf(first)
    const record = createRecordLog({ book: createPostgresRecordBook(database), mode: 'sandbox', key: old })
    await record.catchUp()
    const { new_key_id: next } = await record.changeKey(makeNextKey(first), 5)
    // Finishes the change, as a start after a crash does.
    expect((await open(first)).id).toBe(next)
    await expect(open(second)).rejects.toThrow(
      new RegExp(`holds another key, ${old.id}, and a record of 1 leaf was signed with ${next}`),
    )
    expect((await open(withKeyOf(first))).id).toBe(next)
  })

  test('is bound for good: no statement changes it', async () => {
    const { database, open } = await ledger()
    await open(temporaryDir())
    for (const sql of [
      "UPDATE service_key SET key_id = 'x'",
      'DELETE FROM service_key',
      'TRUNCATE service_key',
    ])
      await expect(database.query(sql), sql).rejects.toMatchObject({ code: 'store_unavailable' })
  })
})
