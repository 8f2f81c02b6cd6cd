import { type Mutant, mutant } from './mutant.ts'

const WALK = 'payments/finality/walk.ts'
const AGAIN = 'payments/finality/settle-again.ts'
const WORKER = 'payments/finality/finality.ts'
const WARY = 'payments/finality/wary-payers.ts'
const WARY_CHAIN = 'payments/finality/wary-chain.ts'
const REVIEW = 'payments/chain/evm/review.ts'
const AGREE = 'payments/chain/nodes/agree-review.ts'

/** In how settled payments are looked at again. */
export const FINALITY_MUTANTS: readonly Mutant[] = [
  mutant('what was undone stands', [
    WALK,
    "if (review.kind === 'undone') return found('open')",
    "if (review.kind === 'undone') return 'stands'",
  ]),
  mutant('the mark passes a row that waits', [
    WALK,
    "if (judged === 'waits') break",
    "if (judged === 'waits') void 0",
  ]),
  mutant('the mark moves before its findings are kept', [
    WALK,
    'if (to !== from) await book.pass(network, to, findings)',
    'if (to !== from) await book.pass(network, to, [])\n    if (findings.length > 0) await book.pass(network, to, findings)',
  ]),
  mutant('another transaction is the same', [
    WALK,
    "isSame(review.transaction, row.transaction) ? 'stands' : found('paid', review.transaction)",
    "'stands'",
  ]),
  mutant('what no node can look up stands', [
    WALK,
    "return tries >= TRIES ? found('unseen') : 'waits'",
    "return tries >= TRIES ? 'stands' : 'waits'",
  ]),
  mutant('a payment is looked at before it is final', [
    REVIEW,
    'Math.min(final.number, shown.upTo)\n',
    'Math.min(final.number, shown.upTo) + 8\n',
  ]),
  mutant('a node that does not know a receipt has undone the payment', [
    REVIEW,
    'if (!(await isUsed(rpc, expected, latest))) {',
    'if (latest) {',
  ]),
  mutant('one node is enough to call a payment undone', [
    AGREE,
    'if (others.length === 0 || doubtful.length === 0) return reviews',
    'if (others.length >= 0 || doubtful.length === 0) return reviews',
  ]),
  mutant('a node that cannot say agrees that a payment is undone', [
    AGREE,
    'undone.length === others.length + 1',
    'undone.length > 0',
  ]),
  mutant('an undone payment is lost while it can still be paid', [
    REVIEW,
    "return { kind: 'undone', isOver: final.timestamp > expected.validBeforeS + DEAD_MARGIN_S }",
    "return { kind: 'undone', isOver: true }",
  ]),
  mutant('an undone payment is never lost', [
    AGAIN,
    "if (review.isOver) return { key, state: 'lost', transaction: undefined, atMs }",
    '',
  ]),
  mutant('an undone payment is paid by what a facilitator says', [
    AGAIN,
    "if (review.kind === 'undone' && !review.isOver) await send(row)\n",
    "if (review.kind === 'undone' && !review.isOver) await send(row)\n    const named = sent.get(row.key)?.transaction\n    if (named && (await book.decide({ key: row.key, state: 'paid', transaction: named, atMs: clock.now() }))) return []\n",
  ]),
  mutant('only the first of many undone payments is decided', [
    AGAIN,
    'afterKey = rows.length < STEP_ROWS ? undefined : rows.at(-1)?.key',
    'afterKey = rows.at(0)?.key ?? afterKey',
  ]),
  mutant('the worker ends with its first fault', [
    WORKER,
    'return undefined\n      })',
    'return undefined\n      })\n      if (left === undefined) return',
  ]),
  mutant('only the first network is looked at again', [
    WORKER,
    'const walks = networks.map(',
    'const walks = networks.slice(0, 1).map(',
  ]),
  mutant('who was undone is served like everybody', [
    WARY_CHAIN,
    "if (outcome.kind !== 'paid' || !wary.has(payment.payer)) return outcome",
    'if (outcome.kind) return outcome',
  ]),
  mutant('what is not final is as good for who was undone', [
    WARY_CHAIN,
    "if (review?.kind === 'final') return",
    "if (review?.kind === 'early') return { kind: 'paid', transaction }\n  if (review?.kind === 'final') return",
  ]),
  mutant('who was undone is forgotten when it is lost', [
    WARY,
    'lostAtMs === undefined ? Number.POSITIVE_INFINITY : lostAtMs + WARY_FOR_MS,',
    'lostAtMs === undefined ? Number.POSITIVE_INFINITY : lostAtMs,',
  ]),
  mutant('who was undone is not known after a start', [
    WORKER,
    'recover: wary.load,',
    'recover: async () => {},',
  ]),
  mutant('who was undone is known after a start only', [
    WORKER,
    'if (findings.length > 0) await wary.load()',
    '',
  ]),
]
