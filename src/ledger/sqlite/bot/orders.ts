import type { DatabaseSync } from 'node:sqlite'
import type { BotBook, BotOrders, BrokerName, FillRow } from '../../ports/bot-book.ts'
import type { GroupCommit } from '../group-commit.ts'
import { prepareDecision } from './decisions.ts'
import { prepareFills } from './fill-row.ts'
import { prepareOrderInsert, prepareOrders } from './order-row.ts'
import { prepareRefresh } from './refresh-market.ts'

export function createSqliteOrders(db: DatabaseSync, commit: GroupCommit): BotOrders {
  const plan = preparePlan(db)
  const steps = prepareSteps(db)
  const byId = prepareOrders(db, 'WHERE o.client_order_id = ?')
  const open = prepareOrders(db, "WHERE o.state = 'open' ORDER BY o.seq")
  const unfinished = prepareOrders(db, UNFINISHED)
  const hasOrdered = db.prepare(
    'SELECT 1 FROM bot_orders WHERE broker = ? AND condition_id = ? AND token_id = ? LIMIT 1',
  )
  const ofWindow = prepareOrders(db, 'WHERE o.window_start_s = ? AND o.coin = ? ORDER BY o.seq')
  const since = prepareOrders(db, 'WHERE o.created_ms >= ? ORDER BY o.created_ms, o.seq')
  const unsettled = prepareOrders(db, UNSETTLED)
  return {
    planOrder: (order, with_) => commit.write(() => plan(order, with_)),
    nameOrder: (clientOrderId, orderId) => commit.write(() => steps.name(clientOrderId, orderId)),
    noteAccepted: (clientOrderId, acceptedMs) => commit.write(() => steps.accept(clientOrderId, acceptedMs)),
    putFills: (clientOrderId, fills) => commit.write(() => steps.fill(clientOrderId, fills)),
    closeOrder: (clientOrderId, closedMs, note) =>
      commit.write(() => steps.close(clientOrderId, closedMs, note)),
    findOrder: (clientOrderId) => commit.read(() => byId(clientOrderId)[0]),
    openOrders: () => commit.read(() => open()),
    unfinishedOrders: () => commit.read(() => unfinished()),
    hasOrdered: (broker, conditionId, tokenId) =>
      commit.read(() => hasOrdered.get(broker, conditionId, tokenId) !== undefined),
    ordersOf: (coin, windowStartS) => commit.read(() => ofWindow(windowStartS, coin)),
    ordersSince: (sinceMs) => commit.read(() => since(sinceMs)),
    unsettledOrders: () => commit.read(() => unsettled()),
  }
}

/** The indexes are named: they hold only these few. */
const UNFINISHED = `WHERE o.seq IN (
    SELECT seq FROM bot_orders INDEXED BY bot_orders_open WHERE state = 'open'
    UNION SELECT order_seq FROM bot_fills INDEXED BY bot_fills_matched WHERE state = 'matched'
  ) ORDER BY o.seq`

/** Every order of a market with one that is unsettled. The index is named: it holds those few, whatever the planner guesses. */
const UNSETTLED = `WHERE o.seq IN (
    SELECT m.seq FROM bot_orders u INDEXED BY bot_orders_unsettled
    JOIN bot_orders m ON m.broker = u.broker AND m.condition_id = u.condition_id
    WHERE u.is_unsettled = 1
  ) ORDER BY o.seq`

/** Looks before it writes: a job that returns false must have written nothing, since its batch is committed. */
function preparePlan(db: DatabaseSync) {
  const insert = prepareOrderInsert(db)
  const refresh = prepareRefresh(db)
  const decisions = prepareDecision(db)
  const isThere = db.prepare('SELECT 1 FROM bot_orders WHERE client_order_id = ?')
  const isUsable = db.prepare('SELECT 1 FROM bot_boss_signals WHERE seq = ? AND used_ms IS NULL')
  const use = db.prepare('UPDATE bot_boss_signals SET used_ms = ? WHERE seq = ?')
  return (...[order, { decision, bossSignal }]: Parameters<BotBook['planOrder']>): boolean => {
    if (isThere.get(order.clientOrderId) || (decision && decisions.isThere(decision))) return false
    if (bossSignal !== undefined && !isUsable.get(bossSignal)) return false
    if (decision) decisions.insert(decision)
    if (bossSignal !== undefined) use.run(order.createdMs, bossSignal)
    insert(order)
    refresh(order.broker, order.conditionId)
    return true
  }
}

function prepareSteps(db: DatabaseSync) {
  const refresh = prepareRefresh(db)
  const fills = prepareFills(db, 'bot_fills')
  const find = db.prepare('SELECT seq, broker, condition_id FROM bot_orders WHERE client_order_id = ?')
  const name = db.prepare(
    'UPDATE bot_orders SET order_id = :orderId WHERE seq = :seq AND order_id IS NOT :orderId',
  )
  const accept = db.prepare('UPDATE bot_orders SET accepted_ms = ? WHERE seq = ? AND accepted_ms IS NULL')
  // The newest hash counts until the fill is final, since a transaction may be sent again; then the first one.
  const move = db.prepare(`
    UPDATE bot_fills SET state = iif(state = 'matched', :state, state), transaction_hash = iif(state = 'matched',
      coalesce(:hash, transaction_hash), coalesce(transaction_hash, :hash))
    WHERE order_seq = :seq AND trade_id = :tradeId
  `)
  const close = db.prepare(
    "UPDATE bot_orders SET state = 'closed', closed_ms = ?, note = ? WHERE seq = ? AND state = 'open'",
  )
  const orderOf = (clientOrderId: string) => {
    const row = find.get(clientOrderId)
    if (!row) throw new Error(`there is no order ${clientOrderId}`)
    const isChanged = () => refresh(String(row.broker) as BrokerName, String(row.condition_id))
    return { seq: Number(row.seq), isChanged }
  }
  return {
    name: (clientOrderId: string, orderId: string): void =>
      void name.run({ seq: orderOf(clientOrderId).seq, orderId }),
    accept: (clientOrderId: string, acceptedMs: number): void =>
      void accept.run(acceptedMs, orderOf(clientOrderId).seq),
    fill(clientOrderId: string, given: readonly FillRow[]): void {
      const { seq, isChanged } = orderOf(clientOrderId)
      for (const fill of given) {
        const { tradeId, state, transactionHash } = fill
        const { changes } = move.run({ seq, tradeId, state, hash: transactionHash ?? null })
        if (changes === 0) fills.insert(seq, fill)
      }
      isChanged()
    },
    close(clientOrderId: string, closedMs: number, note: string | undefined): void {
      const { seq, isChanged } = orderOf(clientOrderId)
      close.run(closedMs, note ?? null, seq)
      isChanged()
    },
  }
}
