import fc from 'fast-check'
import type { Coin } from '../../../core/coin.ts'
import type { BotBook } from '../../../ledger/ports/bot-book.ts'
import { sampleDecision, sampleFill, sampleOrder, sampleSale, sampleTrade } from './sample-order.ts'

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
/** Anything that a bot book can be asked to write. */
export const anyBotStep: fc.Arbitrary<Step> = fc.oneof(
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
