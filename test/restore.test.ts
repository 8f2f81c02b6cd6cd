import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openLedger } from '../src/app/ledger/open-ledger.ts'
import { readConfig } from '../src/config/config.ts'
import { silentLog } from '../src/core/log.ts'
import { secret } from '../src/core/secret.ts'
import { systemClock } from '../src/core/time/clock.ts'
import { WINDOW_S, windowAt } from '../src/core/time/window.ts'
import { backupDirectory } from '../src/ledger/files/backup.ts'
import { restoreDirectory } from '../src/ledger/files/restore.ts'
import { openServiceKey } from '../src/payments/receipts/service-key.ts'
import { entryOf } from '../src/record/log/leaf.ts'
import { createRecordLog } from '../src/record/log/record-log.ts'
import { createBuyer } from '../src/testing/buyer.ts'
import { temporaryDir } from '../src/testing/ledger/temporary-dir.ts'
import { startWorld, type World } from '../src/testing/world.ts'

const passphrase = secret('sixteen letters at least')

/** A record that began some windows ago, so that the next start has something to go on with. */
async function beginRecord(dataDir: string): Promise<void> {
  const config = readConfig({ TOLLBOOK_DATA_DIR: dataDir })
  const { store, close } = await openLedger({ config, clock: systemClock, log: silentLog })
  const parts = { book: store.record, key: openServiceKey(dataDir), mode: config.mode }
  const record = createRecordLog(parts as Parameters<typeof createRecordLog>[0])
  await record.catchUp()
  const startS = windowAt(systemClock.now()).startS - 3 * WINDOW_S
  const atMs = startS * 1000
  const missed_at = new Date(atMs).toISOString()
  await record.append([{ ...entryOf('BTC', startS), kind: 'missed', missed_at, reason: 'not_running' }], atMs)
  await close()
}

/** The receipt as the buyer got it, and the id of the purchase in it. */
function receiptOf(reply: Response): { jws: string; id: string } {
  const settlement = JSON.parse(Buffer.from(reply.headers.get('payment-response') ?? '', 'base64').toString())
  const jws: string = settlement.extensions['offer-receipt'].info.receipt.signature
  return { jws, id: JSON.parse(Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString()).id }
}

const recordOf = async (world: World) => (await (await world.get('/record?from=0')).json()) as PublicRecord
type PublicRecord = { key_id: string; head: { tree_size: number }; heads: { signature: string }[] }

test('a backup of a running service starts in an empty directory: replies, receipts and record go on', async () => {
  const root = temporaryDir()
  const [first, second, backup] = [join(root, 'a'), join(root, 'b'), join(root, 'saved.sqlite')]
  await beginRecord(first)
  const world = await startWorld({ TOLLBOOK_DATA_DIR: first, TOLLBOOK_DEMO_CALLS_PER_DAY: '0' })
  const buyer = await createBuyer(world, 'solana')
  const sold = await buyer.fetch(`${world.url}/price/BTC`)
  const [text, payment, { port }] = [await sold.text(), buyer.sent.at(-1) ?? '', new URL(world.url)]
  expect(sold.status).toBe(200)
  backupDirectory({ dataDir: first, target: backup, passphrase })
  const record = await recordOf(world)
  await world[Symbol.asyncDispose]()

  restoreDirectory({
    dataDir: second,
    backup,
    force: false,
    keysOnly: false,
    passphrase,
    mode: 'sandbox',
    nowMs: systemClock.now(),
  })
  await using restored = await startWorld({
    PORT: port,
    TOLLBOOK_DATA_DIR: second,
    TOLLBOOK_DEMO_CALLS_PER_DAY: '0',
  })
  const again = await restored.get('/price/BTC', { 'payment-signature': payment })
  expect([again.status, await again.text()]).toEqual([200, text])
  expect(again.headers.get('payment-response')).toBe(sold.headers.get('payment-response'))
  const receipt = receiptOf(sold)
  const purchase = await restored.get(`/x402/receipts/${receipt.id}`)
  expect(await purchase.json()).toMatchObject({ state: 'settled', receipt: receipt.jws })

  const after = await recordOf(restored)
  expect(record.head.tree_size).toBeGreaterThan(1)
  expect(after.key_id).toBe(record.key_id)
  expect(after.head.tree_size).toBeGreaterThanOrEqual(record.head.tree_size)
  expect(after.heads.slice(0, record.heads.length)).toEqual(record.heads)
})
