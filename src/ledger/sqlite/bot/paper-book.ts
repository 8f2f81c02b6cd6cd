import type { DatabaseSync } from 'node:sqlite'
import { toHolding, toPaperOrder, toPayout } from '../../bot-rows/paper-rows.ts'
import { toAmount } from '../../columns.ts'
import type { PaperBook, PaperOrder, PaperPayout } from '../../ports/paper-book.ts'
import { type Columns, prepareExact } from '../columns.ts'
import type { GroupCommit } from '../group-commit.ts'
import { prepareFills } from './fill-row.ts'

export function createSqlitePaperBook(db: DatabaseSync, commit: GroupCommit): PaperBook {
  const fills = prepareFills(db, 'paper_fills')
  const byId = db.prepare('SELECT * FROM paper_orders WHERE client_order_id = ?')
  const since = db.prepare('SELECT * FROM paper_orders WHERE at_ms >= ? ORDER BY at_ms, seq')
  const toOrder = (row: Columns) => toPaperOrder(row, fills.of(Number(row.seq)))
  const add = prepareAdd(db)
  const pay = preparePay(db)
  const payouts = prepareExact(db, 'SELECT * FROM paper_payouts ORDER BY seq')
  const cash = prepareExact(db, 'SELECT flow_e6 FROM paper_cash')
  const held = prepareExact(db, 'SELECT * FROM paper_holdings WHERE shares_e6 > 0 ORDER BY token_id')
  return {
    add: (order) => commit.write(() => add(order)),
    find: (clientOrderId) => commit.read(() => byId.all(clientOrderId).map(toOrder)[0]),
    pay: (payout) => commit.write(() => pay(payout)),
    payouts: () => commit.read(() => payouts.all().map(toPayout)),
    cashFlowE6: () => commit.read(() => toAmount(cash.get()?.flow_e6)),
    holdings: () => commit.read(() => held.all().map(toHolding)),
    ordersSince: (sinceMs) => commit.read(() => since.all(sinceMs).map(toOrder)),
  }
}

function prepareAdd(db: DatabaseSync): (order: PaperOrder) => boolean {
  const fills = prepareFills(db, 'paper_fills')
  const isThere = db.prepare('SELECT 1 FROM paper_orders WHERE client_order_id = ?')
  const insert = db.prepare(`
    INSERT INTO paper_orders (client_order_id, order_id, condition_id, token_id, side, at_ms) VALUES (?, ?, ?, ?, ?, ?)
  `)
  return ({ clientOrderId, orderId, conditionId, tokenId, side, atMs, ...order }) => {
    if (isThere.get(clientOrderId)) return false
    const { lastInsertRowid } = insert.run(clientOrderId, orderId, conditionId, tokenId, side, atMs)
    for (const fill of order.fills) fills.insert(Number(lastInsertRowid), fill)
    return true
  }
}

function preparePay(db: DatabaseSync): (payout: PaperPayout) => boolean {
  const isThere = db.prepare('SELECT 1 FROM paper_payouts WHERE token_id = ?')
  const insert = db.prepare(`
    INSERT INTO paper_payouts (condition_id, token_id, shares_e6, amount_e6, at_ms) VALUES (?, ?, ?, ?, ?)
  `)
  return ({ conditionId, tokenId, sharesE6, amountE6, atMs }) => {
    if (isThere.get(tokenId)) return false
    insert.run(conditionId, tokenId, sharesE6, amountE6, atMs)
    return true
  }
}
