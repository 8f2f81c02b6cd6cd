import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  sampleDecision,
  sampleFill,
  sampleOrder,
  sampleTrade,
} from '../../../testing/ledger/bot/sample-order.ts'
import { dropSchemas, freshSchema, isPostgresMissing } from '../../../testing/ledger/postgres.ts'
import type { BotBook } from '../../ports/bot-book.ts'
import type { PaperBook } from '../../ports/paper-book.ts'
import type { Database, Query } from '../database.ts'
import { openLedgerDatabase } from '../open-ledger.ts'
import { createPostgresBotBook } from './bot-book.ts'
import { createPostgresPaperBook } from './paper-book.ts'

afterAll(dropSchemas)

const ROWS = 5_000
const orders = (name: string) => `'o' || n, ${name}'m' || n, 't' || n`
/** Rows of years, all of them over, and what the planner knows about them. */
const YEARS = [
  `INSERT INTO bot_orders (client_order_id, broker, condition_id, token_id, origin, made_by, coin, window_start_s,
     outcome, side, price_e4, tick_e4, spend_e6, max_fee_e6, created_ms, state, closed_ms, is_unsettled)
   SELECT ${orders("'paper', ")}, 'round', 'bot', 'BTC', n * 300, 'UP', 'BUY', 5000, 100, 1, 0, n, 'closed', n, false`,
  `INSERT INTO bot_fills (order_seq, trade_id, state, price_e6, shares_e6, notional_e6, fee_e6, at_ms)
   SELECT n, 't', 'confirmed', 1, 1, 1, 0, n`,
  `INSERT INTO bot_trades (broker, condition_id, coin, window_start_s, direction, outcome, origin, bought_shares_e6,
     cost_e6, fees_e6, collected_e6, profit_e6, opened_ms, resolved_ms, breaker_seq)
   SELECT 'paper', 'm' || n, 'BTC', n * 300, 'UP', 'UP', 'round', 1, 1, 0, 1, 0, n, n, 0`,
  `INSERT INTO bot_resolutions (window_start_s, coin, condition_id, outcome, payout_up_e6, at_ms)
   SELECT n * 300, 'BTC', 'm' || n, 'UP', 1000000, n`,
  `INSERT INTO bot_redemptions (broker, condition_id, state, shares_e6, amount_e6, at_ms)
   SELECT 'paper', 'm' || n, 'done', 1, 1, n`,
  `INSERT INTO bot_decisions (window_start_s, coin, attempt, at_ms, broker, action, reason, facts)
   SELECT n * 300, 'BTC', 1, n, 'paper', 'buy', 'edge', '{}'`,
  `INSERT INTO bot_boss_signals (at_ms, made_by, direction, coin, window_start_s) SELECT n, 'k', 'UP', 'BTC', n * 300`,
  "INSERT INTO bot_breaker (at_ms, kind, reason, made_by) SELECT n, 'reset', '', 'k'",
  "INSERT INTO bot_configs (version, at_ms, made_by, text) SELECT n, n, 'k', '{}'",
  `INSERT INTO paper_orders (client_order_id, order_id, condition_id, token_id, side, at_ms)
   SELECT ${orders("'p' || n, ")}, 'BUY', n`,
  `INSERT INTO paper_fills (order_seq, trade_id, state, price_e6, shares_e6, notional_e6, fee_e6, at_ms)
   SELECT n, 't', 'failed', 1, 1, 1, 0, n`,
  "INSERT INTO paper_holdings (token_id, condition_id, shares_e6) SELECT 't' || n, 'm' || n, 0",
]

type Books = { bot: BotBook; paper: PaperBook }
const page = { limit: 50, offset: 0 }
const market = { broker: 'paper', conditionId: 'market 1' } as const
const ASKS: Record<string, (books: Books) => Promise<unknown>> = {
  openOrders: ({ bot }) => bot.openOrders(),
  unfinishedOrders: ({ bot }) => bot.unfinishedOrders(),
  unsettledOrders: ({ bot }) => bot.unsettledOrders(),
  hasOrdered: ({ bot }) => bot.hasOrdered('paper', 'm7', 't7'),
  ordersOf: ({ bot }) => bot.ordersOf('BTC', 300),
  ordersSince: ({ bot }) => bot.ordersSince(ROWS - 5),
  findOrder: ({ bot }) => bot.findOrder('o7'),
  findTrade: ({ bot }) => bot.findTrade('paper', 'm7'),
  tradesSince: ({ bot }) => bot.tradesSince((ROWS - 5) * 300),
  trades: ({ bot }) => bot.trades({}, page),
  'trades of a broker': ({ bot }) => bot.trades({ broker: 'paper' }, page),
  unredeemed: ({ bot }) => bot.unredeemed('paper'),
  redemptions: ({ bot }) => bot.redemptions('polymarket'),
  findResolution: ({ bot }) => bot.findResolution('BTC', 300),
  resolutionsSince: ({ bot }) => bot.resolutionsSince((ROWS - 5) * 300),
  decisions: ({ bot }) => bot.decisions(page),
  decisionsOf: ({ bot }) => bot.decisionsOf('BTC', 300),
  configs: ({ bot }) => bot.configs(page),
  breakerRows: ({ bot }) => bot.breakerRows(1),
  findBossSignal: ({ bot }) => bot.findBossSignal('BTC', 300),
  bossSignals: ({ bot }) => bot.bossSignals(1),
  'paper find': ({ paper }) => paper.find('o7'),
  'paper ordersSince': ({ paper }) => paper.ordersSince(ROWS - 5),
  'paper holdings': ({ paper }) => paper.holdings(),
  'every write of a round': async ({ bot, paper }) => {
    await bot.planOrder(sampleOrder('a'), { decision: sampleDecision({ attempt: 2 }), bossSignal: 1 })
    await bot.nameOrder('a', '0xa')
    await bot.noteAccepted('a', 1)
    await bot.putFills('a', [sampleFill('t')])
    await bot.closeOrder('a', 1)
    await bot.settle(sampleTrade())
    await bot.planRedemption({ ...market, sharesE6: 1n, atMs: 1 })
    await bot.redeemed({ ...market, sharesE6: 1n, amountE6: 1n, transactionHash: undefined, atMs: 1 })
    await bot.addConfig({ version: ROWS + 1, atMs: 1, by: 'k', text: '{}' })
    const order = {
      ...market,
      clientOrderId: 'a',
      orderId: 'p',
      tokenId: '11',
      side: 'BUY',
      atMs: 1,
    } as const
    await paper.add({ ...order, fills: [sampleFill('t')] })
  },
}

/** Books on a database that notes the statements it runs. */
function watch(database: Database) {
  const ran = new Map<string, readonly unknown[]>()
  const noting =
    (query: Query): Query =>
    (sql, values = []) => {
      ran.set(sql, values)
      return query(sql, values)
    }
  const watched: Database = {
    ...database,
    query: noting(database.query),
    transaction: (work) => database.transaction((given) => work({ ...given, query: noting(given.query) })),
  }
  const books = { bot: createPostgresBotBook(watched), paper: createPostgresPaperBook(watched) }
  return { ran, books }
}

describe.skipIf(isPostgresMissing)('after years', () => {
  let database: Database
  beforeAll(async () => {
    database = await openLedgerDatabase(await freshSchema())
    for (const insert of YEARS) await database.query(`${insert} FROM generate_series(1, ${ROWS}) n`)
    // Not the whole database, in which other tests make and drop tables.
    await database.exec(`ANALYZE ${YEARS.map((insert) => insert.split(' ')[2]).join(', ')}`)
  })
  afterAll(() => database?.close())

  test.each(Object.entries(ASKS))('%s reads no whole table and sorts none', async (_, ask) => {
    const { ran, books } = watch(database)
    await ask(books)
    expect(ran.size).toBeGreaterThan(0)
    for (const [sql, values] of ran) {
      if (sql.startsWith('LOCK')) continue
      const { rows } = await database.query(`EXPLAIN ${sql}`, values)
      const plan = rows.map((row) => String(row['QUERY PLAN'])).join('\n')
      expect(plan).not.toMatch(/Seq Scan|Sort .*rows=\d{3,}/)
    }
  })
})
