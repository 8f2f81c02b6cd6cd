import type { Clock } from '../../core/time/clock.ts'
import { DAY_MS, MINUTE_MS } from '../../core/time/time.ts'
import type { FinalityBook, Finding, UndonePayment } from '../../ledger/ports/finality-book.ts'
import type { Facilitators } from '../gate/ports.ts'
import type { FinalChain, Review } from './ports.ts'
import { STEP_ROWS, toSettled } from './walk.ts'

/** Looks at some undone payments that are not decided, and settles those that can still be paid. Returns the decisions. */
export type SettleAgain = () => Promise<readonly Finding[]>
type Ports = {
  clock: Clock
  book: FinalityBook
  chain: FinalChain
  facilitators: Pick<Facilitators, 'settle'>
}

/** What no node can look up is asked about for so long. */
const UNSEEN_ASKED_MS = DAY_MS
/** A facilitator needs a moment, and one of them may fail: then it is sent again, while it is valid. */
const SENT_EVERY_MS = MINUTE_MS

/** The payer's authorization can move money once, whoever sends it and however often; its reply was delivered. */
export function createSettleAgain({ clock, book, chain, facilitators }: Ports): SettleAgain {
  const sent = new Map<string, { atMs: number; transaction: string | undefined }>()
  let afterKey: string | undefined

  const send = async (row: UndonePayment) => {
    const { payment } = toSettled(row)
    const { validBeforeMs } = payment
    if (validBeforeMs !== undefined && clock.now() >= validBeforeMs) return
    const before = sent.get(row.key)
    if (before && clock.now() - before.atMs < SENT_EVERY_MS) return
    // A facilitator that fails is asked again later, like one that was not heard.
    const answer = await facilitators.settle(payment).catch(() => undefined)
    const named = answer === undefined || answer.kind === 'refused' ? undefined : answer.transaction
    sent.set(row.key, { atMs: clock.now(), transaction: named ?? before?.transaction })
  }
  const decide = async (row: UndonePayment, review: Review): Promise<readonly Finding[]> => {
    const finding = toFinding(row, review, clock.now())
    if (review.kind === 'undone' && !review.isOver) await send(row)
    if (!finding || !(await book.decide(finding))) return []
    if (finding.state !== 'open') sent.delete(row.key)
    return [finding]
  }
  return async () => {
    const unseenSinceMs = clock.now() - UNSEEN_ASKED_MS
    const rows = await book.undecided({ unseenSinceMs, afterKey, limit: STEP_ROWS })
    // The next step goes on behind these, and from the beginning where there are no more.
    afterKey = rows.length < STEP_ROWS ? undefined : rows.at(-1)?.key
    const found: Finding[] = []
    for (const network of new Set(rows.map((row) => row.network))) {
      const some = rows.filter((row) => row.network === network)
      const asked = some.map((row) => ({ ...toSettled(row), hint: sent.get(row.key)?.transaction }))
      const reviews = await chain.review(network, asked).catch(() => [])
      for (const [at, row] of some.entries())
        found.push(...(await decide(row, reviews[at] ?? { kind: 'early' })))
    }
    return found
  }
}

function toFinding({ key, state }: UndonePayment, review: Review, atMs: number): Finding | undefined {
  if (review.kind === 'final') return { key, state: 'paid', transaction: review.transaction, atMs }
  if (review.kind !== 'undone') return undefined
  if (review.isOver) return { key, state: 'lost', transaction: undefined, atMs }
  return state === 'unseen' ? { key, state: 'open', transaction: undefined, atMs } : undefined
}
