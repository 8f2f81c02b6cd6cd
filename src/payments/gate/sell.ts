import { createHash } from 'node:crypto'
import type { EncodedReply } from '../../catalog/encoded-reply.ts'
import { ServiceError } from '../../core/service-error.ts'
import { type Clock, sleep } from '../../core/time/clock.ts'
import type { Claim, PaymentBook, PaymentRow, StoredReply } from '../../ledger/ports/payment-book.ts'
import type { Collect } from './collect.ts'
import { alreadyUsed, closed, identifierUsed, inProgress, pending, unavailable, unseen } from './failures.ts'
import type { Leases } from './leases.ts'
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
  /** The payment was never used before, and this purchase has it now. */
  onClaimed?: () => void
  /** Its reply is made and money moves next: the last moment before it. */
  onPayable?: () => void
  /** Whether a reply as of that moment may still be sold. */
  isFresh?: (asOfMs: number) => boolean
  /** It was used before, for this purchase or another. */
  onUsed?: () => void
  /** It was found bad, and the chain could not be asked whether somebody had submitted it first. */
  onUnproven?: () => void
  /** Whether its payer has bought lately; undefined where nobody knows. */
  isKnown?: boolean
}
export type Sale =
  | { kind: 'refused'; reason: RefusalReason }
  | { kind: 'sold'; row: PaymentRow; reply: StoredReply; isReplay: boolean }

/** What stands against a new purchase: a reason to refuse the payment, or a failure to answer with. */
export type Problem = RefusalReason | ServiceError

/** `problem` is what was found before; a stored reply can be fetched again even then. */
export type Sell = (payment: Payment, offer: Offer, problem: Problem | undefined) => Promise<Sale>

export type SellPorts = {
  clock: Clock
  random: Random
  book: PaymentBook
  facilitators: Facilitators
  chain: Chain
  collect: Collect
  leases: Leases
}

/** How old the chain's last answer may be before a facilitator is asked, and before money moves. */
const SEEN_EARLY_MS = 2_000
const SEEN_LAST_MS = 250
/** After that the claim expires by itself. */
const RELEASE_PAUSES_MS = [500, 1_000, 2_000, 5_000, 10_000, 30_000]

/**
 * claim → verify → work → store the reply → settle → the chain confirms → record → deliver.
 * Until the reply is stored no money can have moved and the claim may be released; after that only the chain decides.
 */
export function createSell(ports: SellPorts): Sell {
  const { book, leases } = ports
  /** The claims of this process that it is about to send. Not their keys: one that was taken for dead may end late. */
  const selling = new Set<string>()
  const replayOnce = (row: PaymentRow, offer: Offer) => {
    // The ledger shows it as sent before we send it. Who looked at it as at another process's would keep us from that.
    if (row.state === 'settling' && selling.has(row.id)) throw inProgress()
    return replay(ports, row, offer)
  }
  return async (payment, offer, problem) => {
    const claim = claimOf(payment, offer, ports)
    if (problem) {
      const row = await book.find(payment.key)
      const isFailure = problem instanceof ServiceError
      // For a void one the chain is looked at again: not for those who may make us do nothing more.
      if (row?.fingerprint === claim.fingerprint && !(isFailure && row.state === 'void'))
        return replayOnce(row, offer)
      if (isFailure) throw problem
      return { kind: 'refused', reason: problem }
    }
    const claimed = await book.claim(claim).catch(async (error) => {
      // It may have been written all the same.
      await forgetClaim(ports, claim)
      throw error
    })
    if (!claimed.fresh) {
      offer.onUsed?.()
      if (claimed.row.key !== claim.key) throw identifierUsed(claimed.row.state === 'void')
      if (claimed.row.fingerprint !== claim.fingerprint) throw alreadyUsed()
      return replayOnce(claimed.row, offer)
    }
    offer.onClaimed?.()
    selling.add(claim.id)
    try {
      const reply = await leases.hold(claim, () => prepare(ports, claim, payment, offer))
      if (typeof reply === 'string') return { kind: 'refused', reason: reply }
      const row = { ...claim, ...PREPARED, reply }
      // This process may have stood still meanwhile.
      const isStale = isTooOld(ports.clock, row, offer)
      return toSale(await ports.collect(payment, row, { isOwn: true, isStale }), false)
    } finally {
      selling.delete(claim.id)
    }
  }
}

/** From the claim to the stored reply, or to a refusal; whatever fails, the claim is released. */
async function prepare(
  ports: SellPorts,
  claim: Claim,
  payment: Payment,
  offer: Offer,
): Promise<StoredReply | RefusalReason> {
  await releaseOnFailure(ports, claim, () => checkChain(ports, payment, SEEN_EARLY_MS))
  // Nobody is asked, and nothing is made, for what nobody could settle.
  await releaseOnFailure(ports, claim, () => ports.facilitators.ready(payment))
  const refusal = await releaseOnFailure(ports, claim, () => findRefusal(ports, claim, payment, offer))
  if (refusal) {
    await releaseClaim(ports, claim)
    return refusal
  }
  const { text, asOfMs } = await releaseOnFailure(ports, claim, offer.work)
  const reply = { text, asOfMs, receipt: undefined }
  // The chain may have fallen silent while the work was done, and from here on money moves.
  await releaseOnFailure(ports, claim, () => checkChain(ports, payment, SEEN_LAST_MS))
  await releaseOnFailure(ports, claim, () => ports.facilitators.ready(payment))
  offer.onPayable?.()
  const isPrepared = await releaseOnFailure(ports, claim, () =>
    ports.book.prepare(payment.key, claim.id, reply),
  )
  // It was away for so long that its claim was taken for dead.
  if (!isPrepared) throw inProgress()
  return reply
}

/** What a prepared row has beyond its claim and reply. */
const PREPARED = {
  state: 'settling',
  facilitator: undefined,
  transaction: undefined,
  settledAtMs: undefined,
} as const

/** For the steps before money can move: if one fails, the claim is released and the payment can be used again. */
async function releaseOnFailure<T>(ports: SellPorts, claim: Claim, step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    await releaseClaim(ports, claim)
    throw error
  }
}

async function releaseClaim(ports: SellPorts, claim: Claim): Promise<void> {
  await ports.book.release(claim.key, claim.id).catch(() => forgetClaim(ports, claim))
}

/** Tries again while the ledger cannot be used: a claim left behind would lock its payment until it expires. */
async function forgetClaim({ book, clock }: SellPorts, { key, id }: Claim): Promise<void> {
  const tryOnce = () =>
    book.release(key, id).then(
      () => true,
      () => false,
    )
  const tryLater = async () => {
    for (const pauseMs of RELEASE_PAUSES_MS) {
      await sleep(clock, pauseMs)
      if (await tryOnce()) return
    }
  }
  if (!(await tryOnce())) void tryLater()
}

/** Nobody is charged while we could not see it, or where the token lets nobody pay. */
async function checkChain({ chain }: SellPorts, { network }: Payment, ms: number): Promise<void> {
  await chain.ready(network, ms).catch((cause) => {
    throw cause instanceof ServiceError ? cause : unavailable('the chain cannot be asked', cause)
  })
}

/** A facilitator's refusal is only a hint: a payment that somebody else submitted first was paid all the same. */
async function findRefusal(
  { facilitators, chain }: SellPorts,
  { claimedAtMs }: Claim,
  payment: Payment,
  offer: Offer,
): Promise<RefusalReason | undefined> {
  const verdict = await facilitators.verify(payment, offer.isKnown)
  if (verdict.kind === 'valid') return undefined
  if (verdict.kind === 'unavailable') throw unavailable('no facilitator could check the payment')
  if (verdict.kind === 'invalid' && verdict.isUnused) return verdict.reason
  const outcome = await chain.outcome(payment, undefined, claimedAtMs).catch((cause) => {
    if (verdict.kind === 'invalid') offer.onUnproven?.()
    // Somebody may have used it: then it is not for us to say that nothing was charged.
    throw verdict.kind === 'used' ? unseen() : unavailable('the chain cannot be asked', cause)
  })
  if (outcome.kind === 'paid') return undefined
  if (verdict.kind === 'closed') throw closed(payment.network, verdict.why)
  if (verdict.kind === 'invalid') return verdict.reason
  // Our node may lag behind theirs: after a 402 the payer would sign, and pay, a second time.
  if (outcome.kind === 'open') throw unseen()
  return 'payment_refused'
}

const REPLAYED = { isOwn: false }

/** The same payment for the same request: its stored reply, or an error that says how far it is. */
async function replay(ports: SellPorts, row: PaymentRow, offer: Offer): Promise<Sale> {
  if (row.state === 'claimed') throw inProgress()
  const payment = JSON.parse(row.payment) as Payment
  // The chain is looked at once more, which counts against the buyer where it finds nothing.
  if (row.state === 'void' && row.reply) return toSale(await ports.collect(payment, row, REPLAYED), true)
  if (row.state !== 'settling') return toSale(row, true)
  // To settle it once more would charge what we could not see; perhaps it was charged before.
  await ports.chain.ready(payment.network, SEEN_LAST_MS).catch(() => {
    throw pending()
  })
  const isStale = isTooOld(ports.clock, row, offer)
  return toSale(await ports.collect(payment, row, { ...REPLAYED, isStale }), true)
}

/** So long a sale may take that was begun with a fresh reply: others get to send what a process left that has died. */
const SALE_MS = 45_000

/** What has not been charged so far is not to be charged for a reply that nobody would buy any more. */
function isTooOld(clock: Clock, { reply, claimedAtMs }: PaymentRow, { isFresh }: Offer): boolean {
  if (reply?.asOfMs === undefined || clock.now() < claimedAtMs + SALE_MS) return false
  return isFresh?.(reply.asOfMs) === false
}

function toSale(row: PaymentRow, isReplay: boolean): Sale {
  if (row.state !== 'settled') return { kind: 'refused', reason: 'payment_void' }
  // The reply was kept for `REPLY_KEPT_MS` and deleted: the payment is used up.
  if (row.reply === undefined) throw alreadyUsed()
  return { kind: 'sold', row, reply: row.reply, isReplay }
}

function claimOf(payment: Payment, offer: Offer, { clock, random }: SellPorts): Claim {
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
    claimedAtMs: clock.now(),
  }
}
