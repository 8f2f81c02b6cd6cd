import type { DatabaseSync } from 'node:sqlite'
import { DAY_MS } from '../../../core/time/time.ts'
import { openDatabase } from '../../../ledger/sqlite/database.ts'
import { createSqliteStore } from '../../../ledger/sqlite/store.ts'
import { fillBotBooks } from '../bot/filled-bot-books.ts'
import { sale, someSales } from '../some-sales.ts'
import { sampleDay, sampleIncident } from '../uptime/sample-uptime.ts'

const BASE = 'eip155:8453'
export const LARGEST_AMOUNT = '9'.repeat(18)

/** An embedded ledger with rows in every table, also ones that were removed. `more` works on the file itself. */
export async function fillLedger(file: string, more: (db: DatabaseSync) => void = () => {}): Promise<void> {
  const db = openDatabase(file)
  const store = createSqliteStore(db)
  await someSales(store)
  for (const n of [1, 2])
    await sale(store, `large ${n}`, 3 * DAY_MS + n, { amount: LARGEST_AMOUNT, payer: '0xAA' })
  await store.hints.keep('open', '0xhint')
  await store.finality.pass(BASE, { settledAtMs: 5, seq: 1 }, [
    { key: 'a', state: 'lost', transaction: undefined, atMs: 9 },
  ])
  for (let call = 0; call < 3; call++) await store.demo.take(20_000, [['10.0.0.1', 9]])
  store.usage.record({ atMs: 0, productId: 'price', via: 'free', status: 200, ms: 0.1 + 0.2 })
  await store.usage.perDay(0)
  await fillRecord(store)
  await fillBotBooks(store)
  await fillOperator(store)
  await store.signIn.spendNonce('n', { nowMs: 1, room: 9 })
  await store.signIn.revokeToken('t', 10, 1)
  await store.signIn.revokeWallet('0xw', 10, 1)
  for (const message of ['first', 'second', 'third'])
    await store.watercooler.add({ atMs: 1, author: 'a\0b', message })
  // The last number must not be given again.
  await store.watercooler.remove(3)
  store.pageViews.record({ day: 100, page: '/', views: 2, visitors: 1 })
  await store.uptime.save({
    life: { atMs: 5, isStop: true },
    days: [sampleDay({ totalMs: 1e21, maxMs: 5e-324 })],
    incidents: [sampleIncident(), sampleIncident({ part: 'node', endedMs: 2_000, isPlanned: true })],
  })
  more(db)
  await store.close()
}

type Store = ReturnType<typeof createSqliteStore>

async function fillRecord({ record }: Store): Promise<void> {
  for (const treeSize of [1, 2])
    await record.append({
      from: treeSize - 1,
      leaves: [{ id: `w${treeSize}`, text: `{"leaf":${treeSize},"of":"ü"}` }],
      head: {
        treeSize,
        rootHash: String(treeSize).padStart(64, '0'),
        atMs: treeSize,
        keyId: 'did:key:z6Mk',
        mode: treeSize === 1 ? undefined : 'sandbox',
        signature: `signature ${treeSize}`,
      },
      keep: [{ id: `w${treeSize}`, text: 'secret' }],
      forget: [],
    })
  await record.addAnchor({ treeSize: 1, rootHash: 'a'.repeat(64), network: BASE, tx: '0x1', atMs: 1 })
}

async function fillOperator({ operator }: Store): Promise<void> {
  const by = { id: 'k', label: 'desk', digest: 'a'.repeat(64), scopes: ['trade'], createdMs: 1 } as const
  await operator.addKey(by)
  await operator.revokeKey('k', 50)
  const call = { atMs: 1, client: '10.0.0.1', method: 'POST', endpoint: 'trade.buy', requestId: 'r' } as const
  await operator.addTask({
    ...{ createdMs: 1, by: 'k', title: 'look', priority: 'high' },
    ...{ detail: undefined, assignee: undefined },
  })
  await operator.beginAudit({ ...call, keyId: 'k', params: '{"side":"UP"}' })
  operator.noteAudit({ ...call, keyId: undefined, params: undefined, status: 401 })
  await operator.addSignal({
    ...{ windowStartS: 300, side: 'UP', coin: 'BTC', confidence: 0.6, price: 97_000.1 },
    ...{ indicators: '{}', source: undefined, by: 'k', atMs: 5 },
  })
}
