import fc from 'fast-check'
import { expect } from 'vitest'
import type { BotBook } from '../../../ledger/ports/bot-book.ts'
import type { Store } from '../../../ledger/ports/store.ts'
import { anyBotStep } from './any-bot-steps.ts'
import { createMemoryBotBook } from './memory-bot-book.ts'
import { createMemoryBotRows } from './memory-bot-rows.ts'

/** Whatever is asked in whatever order, the book in memory answers as the one of the store. */
export async function expectSameAnswers(open: () => Promise<Store>, numRuns: number): Promise<void> {
  let [answered, refused] = [0, 0]
  const steps = fc.array(anyBotStep, { minLength: 1, maxLength: 40 })
  const property = fc.asyncProperty(steps, async (taken) => {
    const store = await open()
    const memory = createMemoryBotBook(createMemoryBotRows())
    for (const take of taken) {
      const got = await outcomeOf(take(memory))
      expect(got).toEqual(await outcomeOf(take(store.bot)))
      if ('refused' in got) refused++
      else answered++
    }
    expect(await everything(memory)).toEqual(await everything(store.bot))
    await store.close()
  })
  await fc.assert(property, { numRuns })
  // Both kinds are met, or the comparison shows nothing.
  expect(Math.min(answered, refused)).toBeGreaterThan(numRuns / 2)
}

/** What came of a step: its answer, or that it was refused. */
const outcomeOf = async (done: Promise<unknown>) => {
  try {
    return { answer: await done }
  } catch (error) {
    return { refused: error instanceof Error && 'code' in error ? error.code : String(error) }
  }
}

const everything = (book: BotBook) => {
  const page = { limit: 99, offset: 1 }
  return Promise.all([
    ...[
      book.ordersSince(0),
      book.ordersSince(5),
      book.openOrders(),
      book.unsettledOrders(),
      book.unfinishedOrders(),
    ],
    ...[book.ordersOf('BTC', 300), book.findOrder('a'), book.findOrder('d')],
    ...[book.resolutionsSince(0), book.findResolution('ETH', 600)],
    ...[book.tradesSince(0), book.trades({}, page), book.trades({ broker: 'paper' }, page)],
    ...[book.countTrades({ broker: 'polymarket' }), book.unredeemed('paper'), book.unredeemed('polymarket')],
    ...[book.redemptions('paper'), book.redemptions('polymarket')],
    ...[book.decisions(page), book.decisionsOf('BTC', 300), book.configs(page), book.bossSignals(99)],
    book.findBossSignal('BTC', 300),
  ])
}
