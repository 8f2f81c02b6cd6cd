import type { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import {
  sampleDecision,
  sampleFill,
  sampleOrder,
  sampleTrade,
} from '../../../testing/ledger/bot/sample-order.ts'
import type { Store } from '../../ports/store.ts'
import { openDatabase } from '../database.ts'
import { createSqliteStore } from '../store.ts'

/** Indexes that hold only what is open, undecided, unsettled or held: walking one reads no more than it returns. */
const SHORT = [
  'bot_orders_open',
  'bot_fills_matched',
  'bot_orders_unsettled',
  'bot_trades_redeemable',
  'paper_holdings_held',
]
/** Tables of one row. */
const TINY = ['paper_cash']

type Statement = { sql: string; steps: string[] }

/** A store that keeps the statements it runs. */
function watched() {
  const db = openDatabase(':memory:')
  const ran = new Set<string>()
  const prepare = db.prepare.bind(db)
  db.prepare = (sql) => {
    const statement = prepare(sql)
    for (const name of ['all', 'get', 'run'] as const) {
      const call = statement[name].bind(statement) as (...values: unknown[]) => never
      statement[name] = (...values: unknown[]) => {
        ran.add(sql)
        return call(...values)
      }
    }
    return statement
  }
  const store = createSqliteStore(db)
  const plansOf = async (use: (store: Store) => Promise<unknown>): Promise<Statement[]> => {
    ran.clear()
    await use(store)
    return [...ran].map((sql) => ({ sql, steps: stepsOf(db, sql) }))
  }
  return { db, plansOf }
}

const stepsOf = (db: DatabaseSync, sql: string) =>
  db
    .prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .all()
    .map(({ detail }) => String(detail))

/** Steps that read a whole table or index, or sort what they found. */
function slowSteps(statements: readonly Statement[]): string[] {
  const isShort = (step: string) => SHORT.some((index) => step.endsWith(` ${index}`))
  const isTiny = (step: string) => TINY.some((table) => step === `SCAN ${table}`)
  return statements.flatMap(({ sql, steps }) => {
    const scans = steps.filter((step) => step.startsWith('SCAN') && !isShort(step) && !isTiny(step))
    // The fills of one order are few, and so are the orders that are unsettled.
    const maySort = /FROM (bot|paper)_fills WHERE order_seq|bot_orders_unsettled/.test(sql)
    return [...scans, ...(maySort ? [] : steps.filter((step) => step.includes('TEMP B-TREE')))]
  })
}

const page = { limit: 50, offset: 0 }
type Ask = (store: Store) => Promise<unknown>
/** What a round asks, with the index or key that its rows are found by. */
const ASKED: readonly [string, string, Ask][] = [
  ['openOrders', 'USING INDEX bot_orders_open', ({ bot }) => bot.openOrders()],
  ['unfinishedOrders', 'bot_fills_matched', ({ bot }) => bot.unfinishedOrders()],
  ['hasOrdered', '(broker=? AND condition_id=?)', ({ bot }) => bot.hasOrdered('paper', 'a', '1')],
  ['findTrade', '(broker=? AND condition_id=?)', ({ bot }) => bot.findTrade('paper', 'a')],
  ['unsettledOrders', 'USING COVERING INDEX bot_orders_unsettled', ({ bot }) => bot.unsettledOrders()],
  ['ordersOf', 'bot_orders_window (window_start_s=? AND coin=?)', ({ bot }) => bot.ordersOf('BTC', 300)],
  ['ordersSince', 'bot_orders_created (created_ms>?)', ({ bot }) => bot.ordersSince(1)],
  ['findOrder', '(client_order_id=?)', ({ bot }) => bot.findOrder('a')],
  ['findResolution', '(window_start_s=? AND coin=?)', ({ bot }) => bot.findResolution('BTC', 300)],
  ['resolutionsSince', 'PRIMARY KEY (window_start_s>?)', ({ bot }) => bot.resolutionsSince(300)],
  ['tradesSince', 'bot_trades_window (window_start_s>?)', ({ bot }) => bot.tradesSince(300)],
  ['unredeemed', 'bot_trades_redeemable (broker=?)', ({ bot }) => bot.unredeemed('paper')],
  ['redemptions', 'bot_redemptions_broker (broker=?)', ({ bot }) => bot.redemptions('paper')],
  ['decisionsOf', '(window_start_s=? AND coin=?)', ({ bot }) => bot.decisionsOf('BTC', 300)],
  ['findBossSignal', '(window_start_s=? AND coin=?)', ({ bot }) => bot.findBossSignal('BTC', 300)],
  ['paper find', '(client_order_id=?)', ({ paper }) => paper.find('a')],
  ['paper cash', 'SCAN paper_cash', ({ paper }) => paper.cashFlowE6()],
  ['paper holdings', 'paper_holdings_held', ({ paper }) => paper.holdings()],
  ['paper ordersSince', 'paper_orders_at (at_ms>?)', ({ paper }) => paper.ordersSince(1)],
]
/** These walk an index or the table from its newest row, and stop at the limit. */
const PAGED: Record<string, Ask> = {
  trades: ({ bot }) => bot.trades({}, page),
  'trades of a broker': ({ bot }) => bot.trades({ broker: 'paper' }, page),
  decisions: ({ bot }) => bot.decisions(page),
  configs: ({ bot }) => bot.configs(page),
  breakerRows: ({ bot }) => bot.breakerRows(1),
  bossSignals: ({ bot }) => bot.bossSignals(1),
  audit: ({ operator }) => operator.audit(page),
  'audit of keys': ({ operator }) => operator.audit({ ...page, by: 'keys' }),
  'audit of strangers': ({ operator }) => operator.audit({ ...page, by: 'strangers' }),
  'audit of a key': ({ operator }) => operator.audit({ ...page, by: { keyId: 'a' } }),
  signals: ({ operator }) => operator.signals(50),
}

test.each(ASKED)('%s is found by %s, not by reading the table', async (_, by, ask) => {
  const { db, plansOf } = watched()
  const plans = await plansOf(ask)
  expect(plans[0]?.steps.join()).toContain(by)
  expect(slowSteps(plans)).toEqual([])
  db.close()
})

test.each(Object.entries(PAGED))('%s stops at its limit without sorting', async (_, ask) => {
  const { db, plansOf } = watched()
  const [plan] = await plansOf(ask)
  expect(plan?.sql).toMatch(/LIMIT/)
  expect(plan?.steps.filter((step) => step.includes('TEMP B-TREE'))).toEqual([])
  db.close()
})

test.each([
  ['keys', 'operator_audit_kind (of_key=?)'],
  ['strangers', 'operator_audit_kind (of_key=?)'],
  [{ keyId: 'a' }, 'operator_audit_key (key_id=?)'],
] as const)('audit rows of %j are found by %s', async (by, index) => {
  const { db, plansOf } = watched()
  const [plan] = await plansOf(({ operator }) => operator.audit({ ...page, by }))
  expect(plan?.steps.join()).toContain(index)
  db.close()
})

test('a row of the audit, and what gives way to it, are found by a key', async () => {
  const { db, plansOf } = watched()
  const row = { atMs: 1, keyId: 'a', client: 'c', method: 'POST', endpoint: 'e', params: undefined }
  const plans = await plansOf(({ operator }) => operator.beginAudit({ ...row, requestId: 'r' }))
  // The oldest of all: it stops after a few.
  const scans = slowSteps(plans.filter(({ sql }) => !/ORDER BY seq LIMIT/.test(sql)))
  expect([plans.length, scans]).toEqual([3, []])
  db.close()
})

test('every write of a round finds its rows by a key', async () => {
  const { db, plansOf } = watched()
  const plans = await plansOf(async ({ bot }) => {
    await bot.planOrder(sampleOrder('a'), { decision: sampleDecision() })
    await bot.nameOrder('a', '0xa')
    await bot.putFills('a', [sampleFill('t')])
    await bot.closeOrder('a', 1)
    await bot.settle(sampleTrade())
    await bot.planRedemption({ broker: 'paper', conditionId: 'market 1', sharesE6: 1n, atMs: 1 })
    await bot.redeemed({
      ...{ broker: 'paper', conditionId: 'market 1', sharesE6: 1n, amountE6: 1n },
      ...{ transactionHash: undefined, atMs: 1 },
    })
  })
  expect(plans.length).toBeGreaterThan(8)
  expect(slowSteps(plans)).toEqual([])
  db.close()
})

test.each(['bot_orders_open', 'bot_trades_window', 'bot_orders_created', 'bot_orders_window'])(
  'the check sees that the index %s is missing',
  async (index) => {
    const { db, plansOf } = watched()
    db.exec(`DROP INDEX ${index}`)
    const asks = ASKED.filter(([, by]) => by.includes(index))
    for (const [, , ask] of asks) expect(slowSteps(await plansOf(ask))).not.toEqual([])
    expect(asks).toHaveLength(1)
    db.close()
  },
)

test.each(['bot_orders_unsettled', 'bot_trades_redeemable'])('no store opens without %s', (index) => {
  const db = openDatabase(':memory:')
  db.exec(`DROP INDEX ${index}`)
  expect(() => createSqliteStore(db)).toThrow(/no such index/)
  db.close()
})
