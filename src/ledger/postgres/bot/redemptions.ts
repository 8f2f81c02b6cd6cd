import { toRedemption } from '../../bot-rows/market-rows.ts'
import type { BotBook } from '../../ports/bot-book.ts'
import type { Database } from '../database.ts'
import { inTurn } from './in-turn.ts'
import { refreshMarket } from './refresh-market.ts'

type Redemptions = Pick<BotBook, 'planRedemption' | 'redeemed' | 'redemptions'>

const COLUMNS = 'broker, condition_id, state, shares_e6, amount_e6, transaction_hash, at_ms'
const PLAN = `
  INSERT INTO bot_redemptions (${COLUMNS}) VALUES ($1, $2, 'planned', $3, 0, NULL, $4)
  ON CONFLICT (broker, condition_id) DO NOTHING`
const FINISH = `
  INSERT INTO bot_redemptions (${COLUMNS}) VALUES ($1, $2, 'done', $3, $4, $5, $6)
  ON CONFLICT (broker, condition_id) DO UPDATE SET state = excluded.state, shares_e6 = excluded.shares_e6,
    amount_e6 = excluded.amount_e6, transaction_hash = excluded.transaction_hash, at_ms = excluded.at_ms
  WHERE bot_redemptions.state = 'planned' OR bot_redemptions.amount_e6 < excluded.amount_e6`
const OF_BROKER = `SELECT ${COLUMNS} FROM bot_redemptions WHERE broker = $1 ORDER BY seq`

export function createPostgresRedemptions(database: Database): Redemptions {
  const { query } = database
  return {
    async planRedemption({ broker, conditionId, sharesE6, atMs }) {
      await query(PLAN, [broker, conditionId, sharesE6, atMs])
    },
    redeemed: ({ broker, conditionId, sharesE6, amountE6, transactionHash, atMs }) =>
      inTurn(database, async (ask) => {
        const values = [broker, conditionId, sharesE6, amountE6, transactionHash ?? null, atMs]
        if ((await ask(FINISH, values)).count === 0) return false
        await refreshMarket(ask, broker, conditionId)
        return true
      }),
    redemptions: async (broker) => (await query(OF_BROKER, [broker])).rows.map(toRedemption),
  }
}
