import type { Log } from '../../core/log.ts'
import type { Clock } from '../../core/time/clock.ts'
import { facilitatorsBusy } from '../gate/failures.ts'
import type { Payment } from '../gate/payment.ts'
import type { VerifyAnswer } from '../gate/ports.ts'
import type { RefusalReason } from '../gate/refusal.ts'
import { isExpiring } from './expiring.ts'
import type { LookAtPayer, PayerLook } from './look-at-payer.ts'
import { isOwnTrouble, saysClosed, saysUsed, toRefusalReason } from './members/reasons.ts'
import type { MonitoredFacilitator } from './monitored-facilitator.ts'
import { shortWords } from './said.ts'

/** After this time no further facilitator is asked about a payment. */
export const VERIFY_WITHIN_MS = 10_000

/** Whether its authorization was used before, by our own look at the chain; undefined where that is not known. */
export type IsUsed = (payment: Payment) => Promise<boolean | undefined>
/** What the token itself says against a payment; undefined where that is nothing, or not known. */
export type Explain = (
  payment: Payment,
) => Promise<Extract<VerifyAnswer, { kind: 'closed' | 'invalid' }> | undefined>
type Ports = { clock: Clock; log: Log; lookAtPayer: LookAtPayer; isUsed: IsUsed; explain: Explain }

/**
 * A yes is taken from anybody: the chain decides in the end. A no is the opinion of one facilitator, which may be out of
 * order, so every other one is asked, once; only what we can see ourselves is final at once.
 */
export async function verify(
  ports: Ports,
  facilitators: readonly MonitoredFacilitator[],
  payment: Payment,
  isKnown?: boolean,
): Promise<VerifyAnswer> {
  const { clock } = ports
  const untilMs = clock.now() + VERIFY_WITHIN_MS
  // No wait in between where there is room: of those who come at once, the first ones take it.
  const early = !isKnown && isRush(facilitators) ? await ports.lookAtPayer(payment) : undefined
  if (early?.hasFunds === false) return invalid('insufficient_funds', early)
  let isUsed = false
  let finding: RefusalReason | undefined
  let isExplained = false
  let isBarred = false
  let waitMs: number | undefined
  for (const facilitator of facilitators) {
    if (clock.now() >= untilMs) break
    const reply = await facilitator.verify(payment, isKnown)
    if (reply?.waitMs !== undefined) waitMs = Math.min(waitMs ?? reply.waitMs, reply.waitMs)
    if (reply?.kind !== 'answer') continue
    const { isValid, reason } = reply.answer
    // What was used long ago can never pay for this, and a facilitator need not look.
    if (isValid) {
      facilitator.standing.heard(payment.network, payment.payer, true)
      return { kind: (await ports.isUsed(payment)) ? 'used' : 'valid' }
    }
    if (isOwnTrouble(reason)) continue
    if (saysUsed(reason)) {
      isUsed = true
      continue
    }
    const said = toRefusalReason(reason)
    const look = said === 'insufficient_funds' ? await ports.lookAtPayer(payment) : undefined
    // Its node lags behind ours, or it is its own purse that is empty: the payer is not told that it is his.
    const found = look?.hasFunds ? GENERIC : said
    // Amount, recipient and signature were checked before: who finds fault with those is contradicted already.
    const isSeen = look?.hasFunds === false || (found === 'expired' && isExpiring(clock, payment))
    if (isSeen) return invalid(found, look)
    if (mayBeToken(said, reason) && !isExplained) {
      isExplained = true
      const seen = await ports.explain(payment)
      if (seen) return seen
    }
    if (saysClosed(reason)) {
      isBarred = true
      ports.log.warn(
        { facilitator: facilitator.name, network: payment.network },
        'a facilitator pays us nothing',
      )
      continue
    }
    if (found === GENERIC) {
      facilitator.standing.heard(payment.network, payment.payer, false)
      const { name } = facilitator
      ports.log.info(
        { facilitator: name, network: payment.network, said: shortWords(reason) },
        'a facilitator refused a payment',
      )
    }
    if (finding === undefined || finding === GENERIC) finding = found
  }
  if (isUsed) return { kind: 'used' }
  if (isBarred && (finding === undefined || finding === GENERIC))
    return { kind: 'closed', why: 'no facilitator settles to the address that is paid' }
  if (finding) return invalid(finding)
  if (waitMs !== undefined) throw facilitatorsBusy(waitMs)
  return { kind: 'unavailable' }
}

const GENERIC: RefusalReason = 'payment_refused'
const invalid = (reason: RefusalReason, look?: PayerLook): VerifyAnswer => ({
  ...{ kind: 'invalid', reason },
  ...(look?.isUnused && { isUnused: true }),
})

/** A failed simulation tells no more than that: a paused token looks like a bad payment. */
const mayBeToken = (found: RefusalReason, words: string | undefined): boolean =>
  found === GENERIC || found === 'payer_blocked' || saysClosed(words)

/**
 * Anybody can sign for a wallet without money. While there is room, asking our node first would only slow down those
 * who pay; when calls become scarce they are kept for those who can.
 */
const isRush = (facilitators: readonly MonitoredFacilitator[]): boolean =>
  facilitators.some((facilitator) => facilitator.isScarce())
