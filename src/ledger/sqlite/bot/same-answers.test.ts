import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Coin } from '../../../core/coin.ts'
import { createMemoryBotBook } from '../../../testing/ledger/bot/memory-bot-book.ts'
import { createMemoryBotRows } from '../../../testing/ledger/bot/memory-bot-rows.ts'
import {
  sampleDecision,
  sampleFill,
  sampleOrder,
  sampleSale,
  sampleTrade,
} from '../../../testing/ledger/bot/sample-order.ts'
import type { BotBook } from '../../ports/bot-book.ts'
import { openDatabase } from '../database.ts'
import { createSqliteStore } from '../store.ts'

/** Few of each, so that steps meet. */
const id = fc.constantFrom('a', 'b', 'c', 'd')
const conditionId = fc.constantFrom('m1', 'm2')
const broker = fc.constantFrom('paper' as const, 'polymarket' as const)
const outcome = fc.constantFrom('UP' as const, 'DOWN' as const)
const payoutUpE6 = fc.constantFrom(0n, 500_000n, 1_000_000n)
const windowStartS = fc.constantFrom(300, 600)
const coin = fc.constantFrom('BTC' as const, 'ETH' as const)
const atMs = fc.integer({ min: 0, max: 9 })
const attempt = fc.integer({ min: 1, max: 2 })
const amount = fc.bigInt({ min: 0n, max: 3n })
const transactionHash = fc.constantFrom(undefined, '0x1', '0x2')

type Step = (book: BotBook) => Promise<unknown>
const stepOf = <T>(values: fc.Arbitrary<T>, run: (book: BotBook, given: T) => Promise<unknown>) =>
  fc.record({ values }).map(({ values: given }): Step & { toString(): string } =>
    Object.assign((book: BotBook) => run(book, given), {
      toString: () => `${run} with ${fc.stringify(given)}`,
    }),
  )

const terms = fc.record({ conditionId, broker, outcome, windowStartS, coin, createdMs: atMs })
const decisionOf = (given: { attempt: number | null; terms: { windowStartS: number; coin: Coin } }) => {
  const { windowStartS, coin } = given.terms
  return given.attempt === null ? undefined : sampleDecision({ attempt: given.attempt, windowStartS, coin })
}
const plan = stepOf(
  fc.record({ id, terms, isSale: fc.boolean(), attempt: fc.option(attempt), boss: fc.option(attempt) }),
  (book, given) =>
    book.planOrder((given.isSale ? sampleSale : sampleOrder)(given.id, given.terms), {
      decision: decisionOf(given),
      bossSignal: given.boss ?? undefined,
    }),
)
const fill = fc.record({
  tradeId: fc.constantFrom('t', 'u'),
  state: fc.constantFrom('matched' as const, 'confirmed' as const, 'failed' as const),
  sharesE6: amount,
  transactionHash,
})
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: plan },
  {
    weight: 3,
    arbitrary: stepOf(fc.record({ id, fills: fc.array(fill, { maxLength: 3 }) }), (book, { id, fills }) =>
      book.putFills(
        id,
        fills.map((each) => sampleFill(each.tradeId, each)),
      ),
    ),
  },
  stepOf(fc.record({ id, name: fc.constantFrom('0xa', '0xb') }), (book, { id, name }) =>
    book.nameOrder(id, name),
  ),
  stepOf(fc.record({ id, atMs }), (book, { id, atMs }) => book.noteAccepted(id, atMs)),
  stepOf(fc.record({ id, atMs }), (book, { id, atMs }) => book.closeOrder(id, atMs)),
  stepOf(fc.record({ conditionId, broker, outcome, windowStartS, coin, resolvedMs: atMs }), (book, given) =>
    book.settle(sampleTrade(given)),
  ),
  stepOf(fc.record({ conditionId, outcome, windowStartS, coin, payoutUpE6, atMs }), (book, given) =>
    book.addResolution(given),
  ),
  stepOf(fc.record({ conditionId, broker, sharesE6: amount, atMs }), (book, given) =>
    book.planRedemption(given),
  ),
  stepOf(
    fc.record({ conditionId, broker, sharesE6: amount, amountE6: amount, atMs, transactionHash }),
    (book, given) => book.redeemed(given),
  ),
  stepOf(fc.record({ attempt, coin, windowStartS, broker }), (book, given) =>
    book.addDecision(sampleDecision(given)),
  ),
  stepOf(fc.record({ direction: outcome, coin, windowStartS, atMs }), (book, given) =>
    book.addBossSignal({ ...given, by: 'k', reason: undefined }),
  ),
  stepOf(fc.record({ version: fc.integer({ min: 0, max: 4 }), atMs }), (book, given) =>
    book.addConfig({ ...given, by: 'k', text: '{}' }),
  ),
)

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

test('whatever is asked in whatever order, the book in memory answers as the one in SQLite', async () => {
  let [answered, refused] = [0, 0]
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40 }), async (steps) => {
      const store = createSqliteStore(openDatabase(':memory:'))
      const memory = createMemoryBotBook(createMemoryBotRows())
      for (const take of steps) {
        const got = await outcomeOf(take(memory))
        expect(got).toEqual(await outcomeOf(take(store.bot)))
        if ('refused' in got) refused++
        else answered++
      }
      expect(await everything(memory)).toEqual(await everything(store.bot))
      await store.close()
    }),
    { numRuns: 100 },
  )
  // Both kinds are met, or the comparison shows nothing.
  expect(Math.min(answered, refused)).toBeGreaterThan(50)
})
