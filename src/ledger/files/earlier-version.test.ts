import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { sampleFill, sampleOrder, sampleTrade } from '../../testing/ledger/bot/sample-order.ts'
import { sampleClaim, sampleOutcome, sampleReply } from '../../testing/ledger/sample-claim.ts'
import { takeSalesAway } from '../../testing/ledger/take-sales-away.ts'
import { temporaryDir } from '../../testing/ledger/temporary-dir.ts'
import { NEWEST_VERSION, versionOf } from '../sqlite/migrations.ts'
import { openSqliteStore } from '../sqlite/store.ts'
import { backupDirectory } from './backup.ts'
import { ledgerPath, readLedger } from './ledger-file.ts'
import { placeOf } from './place.ts'
import { restoreDirectory } from './restore.ts'

const BEFORE_THE_BOT = 6
/** Tables that have come since. */
const LATER = /^(?:bot|paper|operator|sign_in|revoked|community|uptime)_/

async function dataDirectory() {
  const dataDir = temporaryDir()
  const file = ledgerPath(dataDir)
  const store = openSqliteStore(file)
  const payTo = { evm: '0xa', svm: 's' }
  await store.identity.save({ ledgerId: 'a'.repeat(32), mode: 'paper', payTo, place: placeOf(file) })
  await store.payments.claim(sampleClaim('k'))
  await store.payments.prepare('k', 'id of k', sampleReply())
  await store.payments.settle('k', sampleOutcome())
  return { dataDir, file, store }
}

/** Takes away what came later, so that the file is as the release before the bot wrote it. */
function makeEarlier(file: string): void {
  const db = new DatabaseSync(file, { enableForeignKeyConstraints: false })
  takeSalesAway(db)
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
  for (const { name } of tables.all()) if (LATER.test(String(name))) db.exec(`DROP TABLE ${name}`)
  db.exec(`PRAGMA user_version = ${BEFORE_THE_BOT}`)
  const left = db.prepare(
    "SELECT count(*) AS n FROM sqlite_schema WHERE name LIKE '%bot%' OR sql LIKE '%bot%'",
  )
  expect(left.get()).toEqual({ n: 0 })
  db.close()
}

function backedUp(dataDir: string): string {
  const backup = join(temporaryDir(), 'saved.sqlite')
  backupDirectory({ dataDir, target: backup, passphrase: undefined })
  return backup
}

function restored(backup: string): string {
  const dataDir = join(temporaryDir(), 'new')
  const rest = { force: false, keysOnly: false, passphrase: undefined, mode: 'paper', nowMs: 1 } as const
  restoreDirectory({ dataDir, backup, ...rest })
  return ledgerPath(dataDir)
}

test('a backup of the release before the bot is restored, and the bot trades on it', async () => {
  const { dataDir, file, store } = await dataDirectory()
  await store.close()
  makeEarlier(file)
  const backup = backedUp(dataDir)
  expect(readLedger(backup, versionOf, 'backup')).toBe(BEFORE_THE_BOT)
  const back = openSqliteStore(restored(backup))
  expect((await back.payments.find('k'))?.state).toBe('settled')
  expect(await back.payments.totals({ exceptPayers: [] })).toMatchObject({ count: 1, revenue: 1_000n })
  expect(await back.bot.unsettledOrders()).toEqual([])
  expect(await back.bot.planOrder(sampleOrder('a'), {})).toBe(true)
  expect(await back.paper.cashFlowE6()).toBe(0n)
  expect(await back.operator.keys()).toEqual([])
  expect(await back.signIn.spendNonce('n', { nowMs: 1, room: 1 })).toBe('spent')
  await back.close()
})

test('orders, positions and keys come back with a backup', async () => {
  const { dataDir, store } = await dataDirectory()
  await store.bot.planOrder(sampleOrder('held'), {})
  await store.bot.putFills('held', [sampleFill('t')])
  await store.bot.planOrder(sampleOrder('won', { conditionId: 'market 2' }), {})
  await store.bot.putFills('won', [sampleFill('t')])
  await store.bot.settle(sampleTrade({ conditionId: 'market 2' }))
  const fills = [sampleFill('t')]
  const order = { conditionId: 'market 1', tokenId: '11', side: 'BUY', atMs: 1, fills } as const
  await store.paper.add({ ...order, clientOrderId: 'a', orderId: 'p' })
  await store.operator.addKey({
    id: 'k',
    label: 'l',
    digest: 'a'.repeat(64),
    scopes: ['trade'],
    createdMs: 1,
  })
  const file = restored(backedUp(dataDir))
  expect(readLedger(file, versionOf)).toBe(NEWEST_VERSION)
  const back = openSqliteStore(file)
  expect(await back.bot.unsettledOrders()).toEqual(await store.bot.unsettledOrders())
  expect(await back.bot.unredeemed('paper')).toMatchObject([
    { conditionId: 'market 2', sharesE6: 2_000_000n },
  ])
  expect(await back.paper.holdings()).toMatchObject([{ tokenId: '11', sharesE6: 2_000_000n }])
  expect(await back.operator.keys()).toMatchObject([{ id: 'k' }])
  await back.close()
  await store.close()
})
