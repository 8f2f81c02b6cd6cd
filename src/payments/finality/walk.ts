import type { Clock } from '../../core/time/clock.ts'
import { HOUR_MS, MINUTE_MS } from '../../core/time/time.ts'
import type { FinalityBook, Finding, Mark, SettledPayment } from '../../ledger/ports/finality-book.ts'
import type { Payment } from '../gate/payment.ts'
import { type FinalChain, isFinalBy, type Review, type Settled } from './ports.ts'

/**
 * Looks again at settled rows of one network, in their order, once they should be final. Returns what was found, and
 * what waits. Throws where the chain or the ledger cannot be asked: then nothing has moved.
 */
export type Walk = (network: string, rows?: number) => Promise<{ findings: readonly Finding[]; left: Left }>
/** What could be looked at now. `much`: it is minutes late. */
export type Left = 'nothing' | 'some' | 'much'
type Ports = { clock: Clock; book: FinalityBook; chain: FinalChain }

/** Asked about in one request, and in one step. */
export const STEP_ROWS = 25
/** A row is written within seconds of the time it has; after that none appears behind the mark. */
const WRITTEN_AFTER_MS = MINUTE_MS
const MUCH_MS = 5 * MINUTE_MS
/** So often a row that no node can look up holds up the others, before they go on without it. */
const TRIES = 5
/** A row that is still not final so long after it should be holds up nobody either. */
const HELD_AT_MOST_MS = HOUR_MS

export function createWalk({ clock, book, chain }: Ports): Walk {
  /** The row that holds up its network. */
  const held = new Map<string, { key: string; tries: number }>()
  const judge = (row: SettledPayment, review: Review, finalMs: number): Finding | 'stands' | 'waits' => {
    const found = (state: Finding['state'], transaction?: string): Finding => ({
      ...{ key: row.key, state, transaction, atMs: clock.now() },
    })
    if (review.kind === 'final')
      return isSame(review.transaction, row.transaction) ? 'stands' : found('paid', review.transaction)
    // Whether it is lost takes a second look, a little later: one answer may come from a machine that lags.
    if (review.kind === 'undone') return found('open')
    if (finalMs - row.settledAtMs > HELD_AT_MOST_MS && review.kind === 'early') return found('unseen')
    const before = held.get(row.network)
    const tries = (before?.key === row.key ? before.tries : 0) + (review.kind === 'unseen' ? 1 : 0)
    held.set(row.network, { key: row.key, tries })
    return tries >= TRIES ? found('unseen') : 'waits'
  }
  /** A clock that was set back writes rows behind the mark: it goes back too, and what stands is only seen twice. */
  const markBy = async (nowMs: number, network: string): Promise<Mark> => {
    const kept = await book.mark(network)
    if (kept.settledAtMs <= nowMs) return kept
    const back = { settledAtMs: nowMs - WRITTEN_AFTER_MS, seq: 0 }
    await book.pass(network, back, [])
    return back
  }
  /** In requests of their own, at once. */
  const reviewAll = async (network: string, due: readonly Settled[]) => {
    const parts = Array.from({ length: Math.ceil(due.length / STEP_ROWS) }, (_, part) =>
      due.slice(part * STEP_ROWS, (part + 1) * STEP_ROWS),
    )
    const review = async (part: readonly Settled[]) => {
      const reviews = await chain.review(network, part)
      if (reviews.length !== part.length)
        throw new Error(
          `${part.length} settled payments were asked about, and ${reviews.length} reviews came`,
        )
      return reviews
    }
    return (await Promise.all(parts.map(review))).flat()
  }
  return async (network, limit = STEP_ROWS) => {
    const nowMs = clock.now()
    const from = await markBy(nowMs, network)
    const { rows, readTo } = await book.settledAfter(network, from, nowMs - WRITTEN_AFTER_MS, limit)
    if (!readTo) return { findings: [], left: 'nothing' }
    const finalMs = rows.length > 0 ? await chain.finalMs(network) : Number.POSITIVE_INFINITY
    const due = rows.filter(({ settledAtMs }) => isFinalBy(settledAtMs, finalMs))
    const reviews = await reviewAll(network, due.map(toSettled))
    const findings: Finding[] = []
    let to: Mark = from
    for (const [at, row] of due.entries()) {
      const judged = judge(row, reviews[at] ?? { kind: 'early' }, finalMs)
      if (judged === 'waits') break
      if (judged !== 'stands') findings.push(judged)
      to = row.mark
    }
    const isThrough = rows.length === 0 || to === rows.at(-1)?.mark
    if (isThrough) to = readTo
    if (to !== from) await book.pass(network, to, findings)
    const lateMs = Math.min(finalMs, nowMs - WRITTEN_AFTER_MS) - to.settledAtMs
    return { findings, left: isThrough ? (lateMs > MUCH_MS ? 'much' : 'some') : 'nothing' }
  }
}

const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

export const toSettled = ({ payment, transaction, claimedAtMs, settledAtMs }: SettledPayment): Settled => ({
  payment: JSON.parse(payment) as Payment,
  transaction,
  claimedAtMs,
  settledAtMs,
})
