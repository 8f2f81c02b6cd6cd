import { expect, test } from 'vitest'
import { createResults } from '../../bot/results/results.ts'
import { silentLog } from '../../core/log.ts'
import { createManualClock } from '../../core/time/manual-clock.ts'
import type { TradeRow } from '../../ledger/ports/bot-book.ts'
import { createTradeBook, tradeAt, tradesInARow } from '../../testing/bot/hand-made-trades.ts'
import { createKeptLog } from '../../testing/kept-log.ts'
import { createSettledTrades } from '../publish/settled-trades.ts'
import type { SettledTrades } from '../values/bot-value.ts'
import { createSettledFollower } from './settled-follower.ts'

const FIRST_S = 1_767_614_400

async function world() {
  const clock = createManualClock((FIRST_S + 86_000) * 1000)
  const ledger = createTradeBook(tradesInARow(3, 2))
  const results = createResults({ book: ledger, clock, log: silentLog })
  await results.load()
  let loads = 0
  let isDown = false
  const log = createKeptLog()
  const follower = createSettledFollower({
    log,
    book: {
      findTrade: async (broker, conditionId) => {
        if (isDown) throw new Error('the ledger is down')
        return ledger.rows().find((row) => row.broker === broker && row.conditionId === conditionId)
      },
    },
    results: {
      add: results.add,
      load: () => {
        loads++
        return results.load()
      },
    },
  })
  const engine = (epoch: number) => {
    const { told, add } = createSettledTrades(epoch)
    return {
      settle(trade: TradeRow) {
        ledger.settle(trade)
        add(trade)
      },
      async tell() {
        follower.hear(told.read() as SettledTrades)
        await follower.idle()
        await results.idle()
      },
    }
  }
  const count = () => results.total('paper').all.bot.trades
  const down = (next: boolean) => {
    isDown = next
  }
  return { engine, count, loads: () => loads, log, down }
}

test('a trade that is told of is read from the ledger, and nothing else', async () => {
  const { engine, count, loads } = await world()
  const first = engine(1)
  await first.tell()
  expect([count(), loads()]).toEqual([3, 1])
  for (let n = 10; n < 20; n++) {
    first.settle(tradeAt(FIRST_S + n * 300))
    if (n % 3 === 0) await first.tell()
  }
  await first.tell()
  expect([count(), loads()]).toEqual([13, 1])
})

test('whoever has missed some reads everything, and so does whoever hears another engine', async () => {
  const { engine, count, loads } = await world()
  const first = engine(1)
  await first.tell()
  for (let n = 10; n < 110; n++) first.settle(tradeAt(FIRST_S + n * 300))
  await first.tell()
  expect([count(), loads()]).toEqual([103, 2])
  // The first one was settled and never told.
  first.settle(tradeAt(FIRST_S + 200 * 300))
  await engine(2).tell()
  expect([count(), loads()]).toEqual([104, 3])
})

test('what could not be read is read with the next word', async () => {
  const { engine, count, log, down } = await world()
  const first = engine(1)
  await first.tell()
  down(true)
  first.settle(tradeAt(FIRST_S + 10 * 300))
  await first.tell()
  expect([count(), log.lines.length]).toEqual([3, 1])
  down(false)
  first.settle(tradeAt(FIRST_S + 11 * 300))
  await first.tell()
  expect(count()).toBe(5)
})
