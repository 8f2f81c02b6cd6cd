import { createHash } from 'node:crypto'
import type { EncodedReply } from '../../catalog/encoded-reply.ts'
import { type Clock, sleep } from '../../core/time/clock.ts'
import type { Claim, PaymentBook, PaymentRow, StoredReply } from '../../ledger/ports/payment-book.ts'
import type { Collect } from './collect.ts'
import { alreadyUsed, inProgress, unavailable, unseen } from './failures.ts'
import type { Payment } from './payment.ts'
import type { Chain, Facilitators, Random } from './ports.ts'
import type { RefusalReason } from './refusal.ts'

/** What one call buys, and how to make it. */
export type Offer = {
  productId: string
  /** Method, path and query. A payment is bound to it: sent with another request it counts as already used. */
  request: string
  /** Runs at most once per claim, after the payment was verified and before money can move. */
  work: () => Promise<EncodedReply>
}
export type Sale =
  | { kind: 'refused'; reason: RefusalReason }
  | { kind: 'sold'; row: PaymentRow; reply: StoredReply; isReplay: boolean }

/** `problem` is what our own checks found; a stored reply can be fetched again even then. */
export type Sell = (payment: Payment, offer: Offer, problem: RefusalReason | undefined) => Promise<Sale>

export type SellPorts = {
  clock: Clock
  random: Random
  book: PaymentBook
  facilitators: Facilitators
  chain: Chain
  collect: Collect
  bootId: string
}

/** About an hour in all; after that the claim stays until the next start releases it. */
const RELEASE_PAUSES_MS = [500, 1_000, 2_000, 5_000, 10_000, 30_000, ...Array<number>(60).fill(60_000)]

/**
 * claim → verify → work → store the reply → settle → the chain confirms → record → deliver.
 * Until the reply is stored no money can have moved and the claim may be released; after that only the chain decides.
 */
export function createSell(ports: SellPorts): Sell {
  const { book, bootId } = ports
  return async (payment, offer, problem) => {
    const claim = claimOf(payment, offer, ports)
    if (problem) {
      const row = await book.find(payment.key)
      if (row?.fingerprint === claim.fingerprint) return replay(ports, row)
      return { kind: 'refused', reason: problem }
    }
    const claimed = await book.claim(claim)
    if (!claimed.fresh) {
      if (claimed.row.fingerprint !== claim.fingerprint) throw alreadyUsed()
      return replay(ports, claimed.row)
    }
    const refusal = await releaseOnFailure(ports, payment, () => findRefusal(ports, payment))
    if (refusal) {
      await releaseClaim(ports, payment)
      return { kind: 'refused', reason: refusal }
    }
    const { text, asOfMs } = await releaseOnFailure(ports, payment, offer.work)
    const reply = { text, asOfMs, receipt: undefined }
    const isPrepared = await releaseOnFailure(ports, payment, () => book.prepare(payment.key, bootId, reply))
    if (!isPrepared) throw inProgress()
    return toSale(await ports.collect(payment, { ...claim, ...PREPARED, reply }), false)
  }
}

/** What a prepared row has beyond its claim and reply. */
const PREPARED = {
  state: 'settling',
  facilitator: undefined,
  transaction: undefined,
  settledAtMs: undefined,
} as const

/** For the steps before money can move: if one fails, the claim is released and the payment can be used again. */
async function releaseOnFailure<T>(ports: SellPorts, payment: Payment, step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    await releaseClaim(ports, payment)
    throw error
  }
}

/** Tries again while the ledger cannot be written: a claim left behind would lock its payment until the next start. */
async function releaseClaim({ book, bootId, clock }: SellPorts, { key }: Payment): Promise<void> {
  const tryLater = async () => {
    for (const pauseMs of RELEASE_PAUSES_MS) {
      await sleep(clock, pauseMs)
      const isDone = await book.release(key, bootId).then(
        () => true,
        () => false,
      )
      if (isDone) return
    }
  }
  await book.release(key, bootId).catch(() => void tryLater())
}

/** A facilitator's refusal is only a hint: a payment that somebody else submitted first was paid all the same. */
async function findRefusal(
  { facilitators, chain }: SellPorts,
  payment: Payment,
): Promise<RefusalReason | undefined> {
  const verdict = await facilitators.verify(payment)
  if (verdict.kind === 'valid') return undefined
  if (verdict.kind === 'unavailable') throw unavailable('no facilitator can be reached')
  const outcome = await chain.outcome(payment, undefined).catch((cause) => {
    // Somebody may have used it: then it is not for us to say that nothing was charged.
    throw verdict.kind === 'used' ? unseen() : unavailable('the chain cannot be asked', cause)
  })
  if (outcome.kind === 'paid') return undefined
  if (verdict.kind === 'invalid') return verdict.reason
  // Our node may lag behind theirs: after a 402 the payer would sign, and pay, a second time.
  if (outcome.kind === 'open') throw unseen()
  return 'payment_refused'
}

/** The same payment for the same request: its stored reply, or an error that says how far it is. */
async function replay(ports: SellPorts, row: PaymentRow): Promise<Sale> {
  if (row.state === 'claimed') throw inProgress()
  return toSale(row.state === 'settling' ? await ports.collect(JSON.parse(row.payment), row) : row, true)
}

function toSale(row: PaymentRow, isReplay: boolean): Sale {
  if (row.state !== 'settled') return { kind: 'refused', reason: 'payment_void' }
  // The reply was kept for `REPLY_KEPT_MS` and deleted: the payment is used up.
  if (row.reply === undefined) throw alreadyUsed()
  return { kind: 'sold', row, reply: row.reply, isReplay }
}

function claimOf(payment: Payment, offer: Offer, { clock, random, bootId }: SellPorts): Claim {
  const { network, asset, amount, payTo } = payment.requirement
  const { productId, request } = offer
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([payment.digest, productId, request]))
    .digest('hex')
  return {
    key: payment.key,
    id: random.id(),
    fingerprint,
    identifier: payment.identifier,
    productId,
    request,
    payer: payment.payer,
    network,
    asset,
    amount,
    payTo,
    payment: JSON.stringify(payment),
    bootId,
    claimedAtMs: clock.now(),
  }
}
