import { DatabaseSync } from 'node:sqlite'
import { afterAll, expect, test } from 'vitest'
import { ledgerPath } from '../../ledger/files/ledger-file.ts'
import { openSqliteStore } from '../../ledger/sqlite/store.ts'
import { startCommands } from '../../testing/cli/start-commands.ts'
import { someSales } from '../../testing/ledger/some-sales.ts'
import { temporaryDir } from '../../testing/ledger/temporary-dir.ts'

const commands = startCommands()
afterAll(() => commands.close())

async function checkLedger(dataDir: string) {
  const env = { PATH: process.env.PATH, TOLLBOOK_DATA_DIR: dataDir }
  const { status, stdout, stderr } = await commands.run({ args: ['check-ledger'], env, cwd: process.cwd() })
  return { status, text: stdout + stderr }
}

test('sums are compared with the payments while the service runs, and what differs is said', async () => {
  const dataDir = temporaryDir()
  const store = openSqliteStore(ledgerPath(dataDir))
  await someSales(store)
  expect(await checkLedger(dataDir)).toMatchObject({
    status: 0,
    text: expect.stringMatching(/4 of them settled[\s\S]*sums that reports read are those of the payments/),
  })
  await store.close()
  const db = new DatabaseSync(ledgerPath(dataDir))
  db.exec('UPDATE sales_days SET sales = sales + 1 WHERE day = 0')
  db.close()
  expect(await checkLedger(dataDir)).toMatchObject({
    status: 1,
    text: expect.stringMatching(/sales_days has day 0, .*sales 2[\s\S]*sales_days lacks day 0/),
  })
})

test('a ledger of an earlier release, and none at all, are told apart', async () => {
  const dataDir = temporaryDir()
  expect(await checkLedger(dataDir)).toMatchObject({
    status: 1,
    text: expect.stringContaining('there is no ledger'),
  })
  await openSqliteStore(ledgerPath(dataDir)).close()
  const db = new DatabaseSync(ledgerPath(dataDir))
  db.exec('PRAGMA user_version = 9')
  db.close()
  expect(await checkLedger(dataDir)).toMatchObject({
    status: 1,
    text: expect.stringContaining('earlier release'),
  })
})
