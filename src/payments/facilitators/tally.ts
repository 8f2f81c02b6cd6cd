import type { Log } from '../../core/log.ts'
import { type Clock, sleep } from '../../core/time/clock.ts'
import type { Payment } from '../gate/payment.ts'
import type { BreakerOf, Step } from './breaker.ts'
import { isExpiring } from './expiring.ts'
import type { LookAtPayer, PayerLook } from './look-at-payer.ts'
import type { FacilitatorMember, Fault, MemberReply, SettleReply } from './members/member.ts'
import { isDefiniteRefusal, saysOwnAccount, saysUsed } from './members/reasons.ts'
import type { FaultAt, Supported } from './members/supported.ts'
import type { ProofOfLife } from './proof-of-life.ts'
import { shortWords } from './said.ts'

/** What became of the calls to one facilitator, for its breakers, the log and `/health`. */
export type Tally = {
  note(step: Step, payment: Payment, startedMs: number, reply: MemberReply<object>): void
  /** This payment is on the chain, and another facilitator brought it there. */
  landedElsewhere(payment: Payment): void
  latencyMs(): number | undefined
  lastFault(): FaultAt | undefined
}
type Ports = {
  clock: Clock
  log: Log
  member: FacilitatorMember
  lookAtPayer: LookAtPayer
  breaker: BreakerOf
  life: ProofOfLife
  supported: Supported
}

/** Weight of the newest call in the running latency. */
const LATENCY_WEIGHT = 0.2
/** Two blocks of Base, and a little. */
const LANDS_MS = 5_000
/** After that its caller waits no longer to see what another facilitator made of it. */
const HEARD_MS = 8_000
/** It was reached and read the payment, which may be all that it fails on. */
const OF_ONE_PAYMENT: ReadonlySet<Fault> = new Set<Fault>(['server_error', 'unparsable'])
/** So may one that is not answered in time: a contract can be slow to tell whether it signed. */
const MAY_BE_ODD: ReadonlySet<Fault> = new Set<Fault>([...OF_ONE_PAYMENT, 'timeout'])

export function createTally(ports: Ports): Tally {
  const { clock, log, member, lookAtPayer, breaker, life, supported } = ports
  let latencyMs: number | undefined
  let last: FaultAt | undefined
  /** Of what failed at its own account: whether others could move it. */
  const movedByOthers = new Map<string, boolean>()
  const fail = (step: Step, network: string, fault: Fault, payer: string) => {
    const whose = OF_ONE_PAYMENT.has(fault) ? payer : undefined
    // Settling cannot be tried out.
    if (step === 'verify' && MAY_BE_ODD.has(fault)) life.failed(network, breaker(step, network), whose)
    else breaker(step, network).failed(whose)
  }
  /**
   * It says that it moved nothing. That is its own fault where our node shows an unused payment that has time left, the
   * money for it, and a payer whose key alone decides: a contract could refuse it on purpose, and keep its money. Not
   * where it says that the payment was used: its node may have seen that before ours, and payers can use it themselves.
   * The nonce of its own account is no such word.
   */
  const judge = async (payment: Payment, sentMs: number, said: string | undefined) => {
    const settling = breaker('settle', payment.network)
    if (saysOwnAccount(said)) return judgeLater(payment, settling.judgedLater(sentMs))
    if (saysUsed(said)) return settling.undecided()
    if (!isPayable(await lookAtPayer(payment, true)) || isExpiring(clock, payment))
      return settling.undecided()
    last = { fault: 'unsettled', atMs: clock.now() }
    settling.failed(payment.payer)
  }
  const judgeLater = async (payment: Payment, countFailed: (payer: string) => boolean) => {
    if (!(await isOwnFault(payment)) || isExpiring(clock, payment) || !countFailed(payment.payer)) return
    last = { fault: 'unsettled', atMs: clock.now() }
  }
  /** Who has it send his payment twice at once brings that about too: then one of the two is in a block soon. */
  const isOwnFault = async (payment: Payment): Promise<boolean> => {
    const { key } = payment
    movedByOthers.set(key, false)
    await sleep(clock, LANDS_MS)
    const look = await lookAtPayer(payment, true)
    if (look?.isUnused === false && !movedByOthers.get(key)) await sleep(clock, HEARD_MS)
    const isMoved = movedByOthers.get(key)
    movedByOthers.delete(key)
    return isMoved ? look?.hasCode === false : isPayable(look)
  }
  const note = (step: Step, payment: Payment, startedMs: number, reply: MemberReply<object>) => {
    const { network, payer } = payment
    const ms = clock.now() - startedMs
    if (reply.kind === 'answer') {
      latencyMs = latencyMs === undefined ? ms : latencyMs + LATENCY_WEIGHT * (ms - latencyMs)
      if (isUnsettled(reply.answer)) return void judge(payment, startedMs, reply.answer.reason)
      return breaker(step, network).succeeded()
    }
    const { fault, said } = reply
    last = { fault, atMs: clock.now() }
    const words = shortWords(said)
    log.warn({ facilitator: member.name, step, network, fault, ms, said: words }, 'a facilitator failed')
    // Too many calls say nothing about its health: it is left alone for a while, and another one is asked.
    if (reply.fault === 'busy') return breaker(step, network).undecided()
    // A rejected payload says nothing about its health: else three odd payments would block all others.
    if (reply.fault === 'rejected') breaker(step, network).succeeded()
    else fail(step, network, reply.fault, payer)
    void supported.readSoon()
  }
  const landedElsewhere = ({ key }: Payment) => {
    if (movedByOthers.has(key)) movedByOthers.set(key, true)
  }
  return { note, landedElsewhere, latencyMs: () => latencyMs, lastFault: () => last }
}

const isPayable = (look: PayerLook | undefined): boolean =>
  look?.hasFunds === true && look.isUnused && look.hasCode === false

/** A failure that may be of the payment, or of the facilitator; one that names a transaction has sent it. */
const isUnsettled = (answer: object): answer is SettleReply => {
  const { success, transaction, reason } = answer as Partial<SettleReply>
  return success === false && !transaction && !isDefiniteRefusal(reason)
}
