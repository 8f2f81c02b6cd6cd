import type { DatabaseSync } from 'node:sqlite'
import { toResolution, toTrade } from '../../bot-rows/market-rows.ts'
import { toAmount } from '../../columns.ts'
import type { BotBook } from '../../ports/bot-book.ts'
import { type Columns, prepareExact } from '../columns.ts'
import type { GroupCommit } from '../group-commit.ts'
import { prepareRefresh } from './refresh-market.ts'
import { prepareTrade } from './trade-row.ts'

type Resolutions = Pick<BotBook, 'addResolution' | 'findResolution' | 'resolutionsSince'>
type Trades = Pick<BotBook, 'settle' | 'findTrade' | 'tradesSince' | 'trades' | 'countTrades' | 'unredeemed'>

export function createSqliteResolutions(db: DatabaseSync, commit: GroupCommit): Resolutions {
  const find = prepareExact(db, 'SELECT * FROM bot_resolutions WHERE window_start_s = ? AND coin = ?')
  const since = prepareExact(
    db,
    'SELECT * FROM bot_resolutions WHERE window_start_s >= ? ORDER BY window_start_s, coin',
  )
  const insert = db.prepare(
    'INSERT INTO bot_resolutions (window_start_s, coin, condition_id, outcome, payout_up_e6, at_ms) VALUES (?, ?, ?, ?, ?, ?)',
  )
  return {
    addResolution: ({ windowStartS, coin, conditionId, outcome, payoutUpE6, atMs }) =>
      commit.write(() => {
        if (find.get(windowStartS, coin)) return false
        insert.run(windowStartS, coin, conditionId, outcome, payoutUpE6, atMs)
        return true
      }),
    findResolution: (coin, windowStartS) =>
      commit.read(() => find.all(windowStartS, coin).map(toResolution)[0]),
    resolutionsSince: (windowStartS) => commit.read(() => since.all(windowStartS).map(toResolution)),
  }
}

export function createSqliteTrades(db: DatabaseSync, commit: GroupCommit): Trades {
  const write = prepareTrade(db)
  const refresh = prepareRefresh(db)
  const find = prepareExact(db, 'SELECT * FROM bot_trades WHERE broker = ? AND condition_id = ?')
  const since = prepareExact(
    db,
    'SELECT * FROM bot_trades WHERE window_start_s >= ? ORDER BY window_start_s, coin, broker, condition_id',
  )
  const newest = prepareExact(
    db,
    `SELECT * FROM bot_trades
     ORDER BY window_start_s DESC, coin DESC, broker DESC, condition_id DESC LIMIT ? OFFSET ?`,
  )
  const newestOf = prepareExact(
    db,
    `SELECT * FROM bot_trades WHERE broker = ?
     ORDER BY window_start_s DESC, coin DESC, condition_id DESC LIMIT ? OFFSET ?`,
  )
  const count = db.prepare('SELECT count(*) AS n FROM bot_trades')
  const countOf = db.prepare('SELECT count(*) AS n FROM bot_trades WHERE broker = ?')
  // The index is named because the planner would as soon walk every trade of the broker.
  const unredeemed = prepareExact(
    db,
    `SELECT * FROM bot_trades INDEXED BY bot_trades_redeemable WHERE broker = ? AND redeemable_e6 > 0
     ORDER BY window_start_s, coin, condition_id`,
  )
  return {
    settle: (trade) =>
      commit.write(() => {
        write(trade)
        refresh(trade.broker, trade.conditionId)
        return toTrade(find.get(trade.broker, trade.conditionId) as Columns)
      }),
    findTrade: (broker, conditionId) => commit.read(() => find.all(broker, conditionId).map(toTrade)[0]),
    tradesSince: (windowStartS) => commit.read(() => since.all(windowStartS).map(toTrade)),
    trades: ({ broker }, { limit, offset }) =>
      commit.read(() =>
        (broker === undefined ? newest.all(limit, offset) : newestOf.all(broker, limit, offset)).map(toTrade),
      ),
    countTrades: ({ broker }) =>
      commit.read(() => Number((broker === undefined ? count.get() : countOf.get(broker))?.n)),
    unredeemed: (broker) =>
      commit.read(() =>
        unredeemed.all(broker).map((row) => ({ ...toTrade(row), sharesE6: toAmount(row.redeemable_e6) })),
      ),
  }
}
