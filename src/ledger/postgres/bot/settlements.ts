import { toResolution, toTrade } from '../../bot-rows/market-rows.ts'
import { toAmount } from '../../columns.ts'
import type { BotBook, Settlement } from '../../ports/bot-book.ts'
import type { Columns, Database } from '../database.ts'
import { inTurn } from './in-turn.ts'
import { refreshMarket } from './refresh-market.ts'

type Resolutions = Pick<BotBook, 'addResolution' | 'findResolution' | 'resolutionsSince'>
type Trades = Pick<BotBook, 'settle' | 'findTrade' | 'tradesSince' | 'trades' | 'countTrades' | 'unredeemed'>

const RESOLUTION = 'window_start_s, coin, condition_id, outcome, payout_up_e6, at_ms'
const ADD_RESOLUTION = `
  INSERT INTO bot_resolutions (${RESOLUTION}) VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (window_start_s, coin) DO NOTHING`
const RESOLUTIONS = `SELECT ${RESOLUTION} FROM bot_resolutions`
const FIND_RESOLUTION = `${RESOLUTIONS} WHERE window_start_s = $1 AND coin = $2`
const RESOLUTIONS_SINCE = `${RESOLUTIONS} WHERE window_start_s >= $1 ORDER BY window_start_s, coin`

export function createPostgresResolutions({ query }: Database): Resolutions {
  return {
    addResolution: async ({ windowStartS, coin, conditionId, outcome, payoutUpE6, atMs }) =>
      (await query(ADD_RESOLUTION, [windowStartS, coin, conditionId, outcome, payoutUpE6, atMs])).count === 1,
    findResolution: async (coin, windowStartS) =>
      (await query(FIND_RESOLUTION, [windowStartS, coin])).rows.map(toResolution)[0],
    resolutionsSince: async (windowStartS) =>
      (await query(RESOLUTIONS_SINCE, [windowStartS])).rows.map(toResolution),
  }
}

const TRADE = `broker, condition_id, coin, window_start_s, direction, outcome, origin, confidence, bought_shares_e6,
  cost_e6, fees_e6, collected_e6, profit_e6, round_profit_e6, opened_ms, resolved_ms, breaker_seq`
/** Replaces the row of its market but for when it was first settled, by the clock and by the breaker's rows. */
const SETTLE = `
  INSERT INTO bot_trades (${TRADE})
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16,
    (SELECT coalesce(max(seq), 0) FROM bot_breaker))
  ON CONFLICT (broker, condition_id) DO UPDATE SET coin = excluded.coin, window_start_s = excluded.window_start_s,
    direction = excluded.direction, outcome = excluded.outcome, origin = excluded.origin,
    confidence = excluded.confidence, bought_shares_e6 = excluded.bought_shares_e6, cost_e6 = excluded.cost_e6,
    fees_e6 = excluded.fees_e6, collected_e6 = excluded.collected_e6, profit_e6 = excluded.profit_e6,
    round_profit_e6 = excluded.round_profit_e6, opened_ms = excluded.opened_ms
  RETURNING ${TRADE}`
const TRADES = `SELECT ${TRADE} FROM bot_trades`
const FIND = `${TRADES} WHERE broker = $1 AND condition_id = $2`
const SINCE = `${TRADES} WHERE window_start_s >= $1 ORDER BY window_start_s, coin, broker, condition_id`
const NEWEST = `${TRADES}
  ORDER BY window_start_s DESC, coin DESC, broker DESC, condition_id DESC LIMIT $1 OFFSET $2`
const NEWEST_OF = `${TRADES} WHERE broker = $3
  ORDER BY window_start_s DESC, coin DESC, condition_id DESC LIMIT $1 OFFSET $2`
const COUNT = 'SELECT count(*) AS n FROM bot_trades'
const COUNT_OF = `${COUNT} WHERE broker = $1`
const UNREDEEMED = `
  SELECT ${TRADE}, redeemable_e6 FROM bot_trades WHERE broker = $1 AND redeemable_e6 > 0
  ORDER BY window_start_s, coin, condition_id`

export function createPostgresTrades(database: Database): Trades {
  const { query } = database
  const list = async (sql: string, ...values: unknown[]) => (await query(sql, values)).rows.map(toTrade)
  return {
    settle: (trade) =>
      inTurn(database, async (ask) => {
        const { rows } = await ask(SETTLE, valuesOf(trade))
        await refreshMarket(ask, trade.broker, trade.conditionId)
        return toTrade(rows[0] as Columns)
      }),
    findTrade: async (broker, conditionId) => (await list(FIND, broker, conditionId))[0],
    tradesSince: (windowStartS) => list(SINCE, windowStartS),
    trades: ({ broker }, { limit, offset }) =>
      broker === undefined ? list(NEWEST, limit, offset) : list(NEWEST_OF, limit, offset, broker),
    async countTrades({ broker }) {
      const { rows } = broker === undefined ? await query(COUNT) : await query(COUNT_OF, [broker])
      return Number(rows[0]?.n)
    },
    unredeemed: async (broker) =>
      (await query(UNREDEEMED, [broker])).rows.map((row) => ({
        ...toTrade(row),
        sharesE6: toAmount(row.redeemable_e6),
      })),
  }
}

function valuesOf(trade: Settlement): unknown[] {
  const { broker, conditionId, coin, windowStartS, direction, outcome, origin, confidence } = trade
  const { boughtSharesE6, costE6, feesE6, collectedE6, profitE6, roundProfitE6, openedMs, resolvedMs } = trade
  const what = [broker, conditionId, coin, windowStartS, direction, outcome, origin, confidence ?? null]
  const amounts = [boughtSharesE6, costE6, feesE6, collectedE6, profitE6, roundProfitE6 ?? null]
  return [...what, ...amounts, openedMs, resolvedMs]
}
