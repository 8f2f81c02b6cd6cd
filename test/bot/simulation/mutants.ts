import type { Patch } from './bot-code.ts'
import type { WeekOptions } from './week.ts'

/** A bug that somebody could make. The simulation must notice every one of them: a survivor is a hole in it. */
export type Mutant = { name: string; patches: readonly Patch[]; broker: WeekOptions['broker'] }

const RULES = 'bot/risk/rules.ts'
const LIMITS = 'bot/risk/day-limits.ts'
const LIMIT = 'bot/round/limit-price.ts'
const DESK = 'bot/desk/desk.ts'
const ROUNDS = 'bot/round/rounds.ts'
const ORDERS = 'bot/reconcile/orders.ts'
const REDEEM = 'bot/reconcile/redeem-one.ts'
const SETTLEMENT = 'bot/reconcile/settlement.ts'
const FILLS = 'bot/account/fills.ts'
const BREAKER = 'bot/breaker.ts'
const BOUNDS = 'bot/risk/bounds.ts'

type Change = readonly [file: string, from: string, to: string]
const at = (broker: WeekOptions['broker'], name: string, ...changes: readonly Change[]): Mutant => ({
  name,
  broker,
  patches: changes.map(([file, from, to]) => ({ file, from, to })),
})
const mutant = (name: string, ...changes: readonly Change[]) => at('polymarket', name, ...changes)

/** The first ones show themselves soon: every test run plants those. */
export const MUTANTS: readonly Mutant[] = [
  mutant(
    'an open order does not stop the next one',
    [RULES, "unless(!hasOrder, 'this window and coin have an order')", 'undefined as string | undefined'],
    [ROUNDS, "if (own.some(({ state }) => state === 'open')) return false", ''],
  ),
  mutant('what is at risk does not count as lost', [LIMITS, 'atRiskE6 - profitE6 <', '0n - profitE6 <']),
  mutant('the fee is left out of the edge', [
    LIMIT,
    'return feeE6 === undefined ? undefined : priceE6 + divideUp(feeE6, MANY_SHARES)',
    'return feeE6 === undefined ? undefined : priceE6',
  ]),
  mutant('fees are left out of the profit', [SETTLEMENT, 'buys.feeE6 + sales.feeE6', '0n']),
  at('paper', 'paper takes more than is there', [
    'bot/brokers/paper/walk-book.ts',
    'min(mostE6, toLots(offeredE6))',
    'mostE6',
  ]),
  mutant('an order is sent before it is written down', [
    DESK,
    'isNew = await book.planOrder(order, with_)',
    'void brokerOf(order.broker).place(order)\n      isNew = await book.planOrder(order, with_)',
  ]),
  mutant('an order without an answer counts as refused', [
    'bot/brokers/polymarket/placing.ts',
    "return { state: 'open', orderId, fills: [], reason: placement.reason }",
    "return { state: 'refused', reason: placement.reason }",
  ]),
  mutant('an order that the venue does not show yet was never there', [
    'bot/brokers/polymarket/judge-order.ts',
    "if (!seen.isLongAgo) return open('the venue shows no such order yet')",
    '',
  ]),
  mutant('a fill that failed on the chain still counts', [
    FILLS,
    "fills.filter(({ state }) => state !== 'failed')",
    'fills',
  ]),
  mutant('a redemption without an answer counts as paid', [
    REDEEM,
    'const result = await broker.redeem(conditionId, claim.tokenIds)\n',
    "const result = await broker.redeem(conditionId, claim.tokenIds)\n  if (result.outcome === 'unknown') return finish(ports, given, { ...NOTHING, amountE6: claim.dueE6 })\n",
  ]),
  mutant('a restart closes the breaker', [
    BREAKER,
    'openings = since.map((row) => ({ row, isSaved: true })).reverse()',
    'openings = []',
  ]),
  mutant('a lost answer is never looked up', [
    ORDERS,
    '.filter((order) => !isBusy(order) && isWanted(order))',
    ".filter((order) => order.state === 'closed' && !isBusy(order) && isWanted(order))",
  ]),
  mutant('a matched fill is final', [
    FILLS,
    "order.state === 'closed' && order.fills.every(({ state }) => state !== 'matched')",
    "order.state === 'closed'",
  ]),
  mutant('the record of a payment is not looked for', [
    REDEEM,
    'if (paid && paid.amountE6 >= dueE6) return finish(ports, given, paid)',
    '',
  ]),
  mutant('one balance of nothing proves that it was paid', [
    REDEEM,
    'const before = heldE6 >= sharesE6',
    'if (heldE6 === 0n) return finish(ports, given, { ...NOTHING, amountE6: claim.dueE6 })\n  const before = heldE6 >= sharesE6',
  ]),
  mutant('a market is settled again with a part of its orders', [
    'bot/account/ledger-view.ts',
    '.filter((row) => row.windowStartS * 1000 >= sinceMs)',
    '',
  ]),
  mutant('a market is not settled again after a late failure', [
    'bot/reconcile/settle.ts',
    'if (!isDeepStrictEqual(next, trade)) await write(next)',
    '',
  ]),
  mutant('losses are not counted', [
    'bot/risk/losing-run.ts',
    '(roundProfitE6 ?? 0n) <= 0n',
    '(roundProfitE6 ?? 0n) <= -10_000_000n',
  ]),
  mutant('the other token is bought', [
    'bot/round/planned-purchase.ts',
    "outcome === 'UP' ? tokens.up : tokens.down",
    "outcome === 'UP' ? tokens.down : tokens.up",
  ]),
  mutant('the side that is less likely is bought', [
    'bot/round/side.ts',
    'const outcome = isOther ? opposite(signal.direction) : signal.direction',
    'const outcome = isOther ? signal.direction : opposite(signal.direction)',
  ]),
  mutant('an old book is good enough', [
    BOUNDS,
    'BOOK_MAX_AGE_MS = 2 * SECOND_MS',
    'BOOK_MAX_AGE_MS = 2 * MINUTE_MS',
  ]),
  mutant('an old signal is good enough', [
    BOUNDS,
    'SIGNAL_MAX_AGE_MS = 5 * SECOND_MS',
    'SIGNAL_MAX_AGE_MS = 5 * MINUTE_MS',
  ]),
  mutant('orders go on until the end of the window', [
    BOUNDS,
    'CLOSES_BEFORE_END_MS = 20 * SECOND_MS',
    'CLOSES_BEFORE_END_MS = 0 * SECOND_MS',
  ]),
  mutant('a signal that abstains is followed', [RULES, 'signal?.abstain === false', 'signal !== undefined']),
  mutant('the least confidence is not asked for', [
    RULES,
    'signal.confidence >= config.minConfidence',
    'true',
  ]),
  mutant('trades of a day are not counted', [LIMITS, 'trades < maxTradesPerDay', 'maxTradesPerDay >= 0']),
  mutant('the price that a market resolves on is not compared', [
    RULES,
    'signal?.priceKind === market?.market.resolution.kind',
    'signal !== undefined',
  ]),
  mutant('markets of another kind are traded', [
    'bot/round/tradable.ts',
    "if (version !== 'v1' || negRisk) return 'the market is of a kind that we do not trade'",
    '',
  ]),
  at('paper', 'paper fills at the limit instead of the level', [
    'bot/brokers/paper/walk-book.ts',
    'const price = BigInt(priceE4)',
    'const price = BigInt(wanted.limitE4)',
  ]),
]

export const QUICK_MUTANTS = MUTANTS.slice(0, 5)
