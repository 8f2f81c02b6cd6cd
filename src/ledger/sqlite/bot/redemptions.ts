import type { DatabaseSync } from 'node:sqlite'
import { toRedemption } from '../../bot-rows/market-rows.ts'
import { toAmount } from '../../columns.ts'
import type { BotBook } from '../../ports/bot-book.ts'
import { prepareExact } from '../columns.ts'
import type { GroupCommit } from '../group-commit.ts'
import { prepareRefresh } from './refresh-market.ts'

type Redemptions = Pick<BotBook, 'planRedemption' | 'redeemed' | 'redemptions'>

export function createSqliteRedemptions(db: DatabaseSync, commit: GroupCommit): Redemptions {
  const refresh = prepareRefresh(db)
  const find = prepareExact(
    db,
    'SELECT state, amount_e6 FROM bot_redemptions WHERE broker = ? AND condition_id = ?',
  )
  const insert = db.prepare(`
    INSERT INTO bot_redemptions (broker, condition_id, state, shares_e6, amount_e6, transaction_hash, at_ms)
    VALUES (:broker, :conditionId, :state, :sharesE6, :amountE6, :hash, :atMs)
  `)
  const finish = db.prepare(`
    UPDATE bot_redemptions SET state = :state, shares_e6 = :sharesE6, amount_e6 = :amountE6, transaction_hash = :hash,
      at_ms = :atMs
    WHERE broker = :broker AND condition_id = :conditionId
  `)
  const ofBroker = prepareExact(db, 'SELECT * FROM bot_redemptions WHERE broker = ? ORDER BY seq')
  return {
    planRedemption: ({ broker, conditionId, sharesE6, atMs }) =>
      commit.write(() => {
        if (find.get(broker, conditionId)) return
        insert.run({ broker, conditionId, state: 'planned', sharesE6, amountE6: 0n, hash: null, atMs })
      }),
    redeemed: ({ broker, conditionId, sharesE6, amountE6, transactionHash, atMs }) =>
      commit.write(() => {
        const known = find.get(broker, conditionId)
        if (known?.state === 'done' && toAmount(known.amount_e6) >= amountE6) return false
        const hash = transactionHash ?? null
        const write = known ? finish : insert
        write.run({ broker, conditionId, state: 'done', sharesE6, amountE6, hash, atMs })
        refresh(broker, conditionId)
        return true
      }),
    redemptions: (broker) => commit.read(() => ofBroker.all(broker).map(toRedemption)),
  }
}
