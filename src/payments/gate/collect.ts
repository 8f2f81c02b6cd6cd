import { createBoundedCache } from '../../core/bounded-cache.ts'
import type { Log } from '../../core/log.ts'
import { shorten } from '../../core/shorten.ts'
import { type Clock, sleep } from '../../core/time/clock.ts'
import type { PaymentBook, PaymentRow } from '../../ledger/ports/payment-book.ts'
import type { OpenPayments } from './bounds/open-payments.ts'
import { inProgress, pending } from './failures.ts'
import type { Payment } from './payment.ts'
import type { Chain, ChainOutcome, Facilitators, Receipts, SettleAnswer } from './ports.ts'
import type { SettleHints } from './settle-hints.ts'

/**
 * Settles a prepared payment and waits for the chain. Returns a row that is settled or void, or throws 409 or 503. One
 * that is void is not sent: the chain is looked at once more.
 */
export type Collect = (payment: Payment, prepared: PaymentRow, how: Collecting) => Promise<PaymentRow>
export type Collecting = {
  /** This very sale has prepared it. */
  isOwn: boolean
  /** Its reply is too old to be charged for now: the chain is looked at, and nothing is sent. */
  isStale?: boolean
}
export type CollectPorts = RecordPorts & {
  facilitators: Facilitators
  chain: Chain
  hints: SettleHints
  open: OpenPayments
  /** Several processes have the ledger: what is settling may be in the hands of another one. */
  isShared?: boolean
}
export type RecordPorts = { clock: Clock; book: PaymentBook; receipts: Receipts; log: Log }

/** How long a caller waits for the chain; after that the reconcile worker continues alone. */
export const CALLER_WAIT_MS = 12_000
/** The chain is asked at once, then after each of these pauses; the last one repeats. */
const ASK_PAUSES_MS = [50, 100, 250, 500, 1_000]
/** What a facilitator says it could not move is sent once more, by another one if there is one: its node may lag. */
const SEND_AGAIN_AFTER_MS = 1_500
/** Later there is not enough left of what the caller waits. */
const SEND_AGAIN_WITHIN_MS = 8_000
/** A node may show a block so long after it was made. */
const LANDS_WITHIN_MS = 5_000
/** A forgotten one is sent to the same facilitator again. */
const REMEMBERED_FAILURES = 10_000

/** So long after its claim a payment is in the hands of the process that prepared it: others only look. */
const OWNER_SENDS_MS = 30_000
export const othersSendFromMs = ({ claimedAtMs }: Pick<PaymentRow, 'claimedAtMs'>) =>
  claimedAtMs + OWNER_SENDS_MS

/** Only the chain is looked at, once. */
const SENT_LATELY: SettleAnswer = { kind: 'refused', reason: 'sent_lately', facilitator: undefined }

/** One at a time per payment: copies that arrive meanwhile get 409 and a time to retry. */
export function createCollect(ports: CollectPorts): Collect {
  const { open, clock, isShared = false } = ports
  const underWay = new Set<string>()
  const send = createSend(ports)
  return async (payment, prepared, { isOwn, isStale = false }) => {
    if (underWay.has(payment.key)) throw inProgress()
    if (prepared.state !== 'void' && !open.mayLook(payment.key)) throw pending()
    underWay.add(payment.key)
    // What is open here has turns of its own.
    const isOthers = isShared && !isOwn && !open.has(payment.key)
    const sendFromMs = isOthers ? othersSendFromMs(prepared) : clock.now()
    try {
      if (prepared.state === 'void') return await lookAgain(ports, payment, prepared)
      const mayBeSent = !isStale && !isExpired(clock, payment) && clock.now() >= sendFromMs
      const row = await collect(ports, payment, prepared, mayBeSent ? send : undefined)
      open.drop(row.key, row.state)
      return row
    } catch (error) {
      // Nobody waits for it from here on, and a restart may come first.
      ports.hints.keep(payment.key)
      // The worker may have decided it meanwhile, and would never look at it again.
      const row = await ports.book.find(payment.key).catch(() => prepared)
      if (row?.state === 'settling') open.note(prepared, sendFromMs)
      throw error
    } finally {
      underWay.delete(payment.key)
    }
  }
}

const isExpired = (clock: Clock, { validBeforeMs }: Payment): boolean =>
  validBeforeMs !== undefined && clock.now() >= validBeforeMs

type Send = {
  (payment: Payment): Promise<SettleAnswer>
  /** It was accepted, and seconds later the chain does not show it. */
  noteUnlanded(payment: Payment, facilitator: string): void
}

/** Whoever could not move a payment comes last when it is sent again, now or when its buyer comes back. */
function createSend({ facilitators, hints }: CollectPorts): Send {
  const failedAt = createBoundedCache<string, string>({ capacity: REMEMBERED_FAILURES })
  const send = async (payment: Payment) => {
    const answer = await facilitators.settle(payment, failedAt.get(payment.key))
    if (answer.kind !== 'refused' && answer.transaction !== undefined)
      hints.note(payment.key, answer.transaction)
    if (isFailed(answer) && answer.facilitator !== undefined) failedAt.set(payment.key, answer.facilitator)
    return answer
  }
  return Object.assign(send, {
    noteUnlanded(payment: Payment, facilitator: string) {
      failedAt.set(payment.key, facilitator)
      facilitators.noteLanding?.(payment, facilitator, false)
    },
  })
}

/** A node may have shown nothing of a payment that was made: whoever sends it again would else be refused what he paid for. */
async function lookAgain(ports: CollectPorts, payment: Payment, row: PaymentRow): Promise<PaymentRow> {
  const { chain, hints } = ports
  const outcome = await chain
    .outcome(payment, hints.find(row.key), row.claimedAtMs)
    .catch((): ChainOutcome => ({ kind: 'open' }))
  const found = outcome.kind === 'paid' && (await record(ports, row, outcome, row.facilitator))
  return found || row
}

async function collect(
  ports: CollectPorts,
  payment: Payment,
  prepared: PaymentRow,
  send: Send | undefined,
): Promise<PaymentRow> {
  const { clock, facilitators, chain, hints, log } = ports
  const startedMs = clock.now()
  const untilMs = startedMs + CALLER_WAIT_MS
  let answer = send && ports.open.maySend(payment.key) ? await send(payment) : SENT_LATELY
  let answeredAtMs = clock.now()
  let againFromMs = isFailed(answer) ? clock.now() + SEND_AGAIN_AFTER_MS : Number.POSITIVE_INFINITY
  for (let asked = 0; ; asked++) {
    const hint = hints.find(payment.key)
    const outcome = await chain.outcome(payment, hint, prepared.claimedAtMs).catch((err) => {
      log.warn({ err, payer: shorten(payment.payer) }, 'the chain could not be asked')
      return undefined
    })
    const row = outcome && (await record(ports, prepared, outcome, answer.facilitator))
    if (row) {
      if (answer.kind === 'accepted' && row.state === 'settled' && isOfAnswer(row, answer))
        facilitators.noteLanding?.(payment, answer.facilitator, true, answer.transaction !== undefined)
      return row
    }
    // Refused by every facilitator and not used on the chain: waiting longer in this request is pointless.
    if (answer.kind === 'refused' && outcome) throw pending()
    if (clock.now() >= untilMs) {
      const isLate = clock.now() - answeredAtMs >= LANDS_WITHIN_MS
      if (answer.kind === 'accepted' && isLate && outcome?.kind === 'open' && !outcome.isSeen)
        send?.noteUnlanded(payment, answer.facilitator)
      throw pending()
    }
    const isEarly = clock.now() - startedMs < SEND_AGAIN_WITHIN_MS
    if (send && outcome?.kind === 'open' && clock.now() >= againFromMs && isEarly) {
      againFromMs = Number.POSITIVE_INFINITY
      const second = await send(payment)
      // The first one may have moved it after all.
      if (second.kind !== 'refused') {
        answer = second
        answeredAtMs = clock.now()
      }
    }
    await sleep(clock, ASK_PAUSES_MS[Math.min(asked, ASK_PAUSES_MS.length - 1)] ?? 1_000)
  }
}

/** In another transaction than it named somebody else may have moved it. A hash may come in capitals. */
const isOfAnswer = (row: PaymentRow, { transaction }: SettleAnswer & { kind: 'accepted' }): boolean =>
  transaction === undefined || transaction.toLowerCase() === row.transaction?.toLowerCase()

const isFailed = (answer: SettleAnswer): boolean => answer.kind === 'unknown' && answer.isFailed === true

/**
 * Records the outcome on the chain; undefined while it is still open. `prepared` may be out of date by now: what counts
 * is the row that the book returns, and who settled it first.
 */
export async function record(
  { clock, book, receipts, log }: RecordPorts,
  prepared: PaymentRow,
  outcome: ChainOutcome,
  facilitator: string | undefined,
): Promise<PaymentRow | undefined> {
  if (outcome.kind === 'open') return undefined
  const { key, productId: product } = prepared
  const payer = shorten(prepared.payer)
  if (outcome.kind === 'dead') {
    await book.void(key)
    const row = await book.find(key)
    log.payment({ payer, product, state: row?.state, tx: row?.transaction })
    return row
  }
  const { transaction } = outcome
  const receipt = await receipts.sign(prepared, transaction, clock.now())
  const settledAtMs = clock.now()
  const row = await book.settle(key, { transaction, facilitator, settledAtMs, receipt }, prepared)
  if (row?.revived) log.warn({ payer, product, transaction }, 'a payment declared void moved after all')
  log.payment({ payer, product, state: row?.state, tx: row?.transaction })
  return row
}
