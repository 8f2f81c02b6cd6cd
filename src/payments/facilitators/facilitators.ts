import type { Pace } from '../../core/fair-queue.ts'
import type { Log } from '../../core/log.ts'
import { shorten } from '../../core/shorten.ts'
import { type Clock, sleep } from '../../core/time/clock.ts'
import { facilitatorsBusy, unavailable } from '../gate/failures.ts'
import type { Payment } from '../gate/payment.ts'
import type { Facilitators, SettleAnswer } from '../gate/ports.ts'
import type { LookAtPayer } from './look-at-payer.ts'
import { type FacilitatorMember, type MemberReply, neverActed, type SettleReply } from './members/member.ts'
import { isDefiniteRefusal, toRefusalReason } from './members/reasons.ts'
import {
  createMonitoredFacilitator,
  type FacilitatorHealth,
  type MonitoredFacilitator,
} from './monitored-facilitator.ts'
import { shortWords } from './said.ts'
import { type Explain, type IsUsed, verify } from './verify.ts'

/** After this time no further facilitator is asked to settle a payment. */
export const FAIL_OVER_WITHIN_MS = 10_000
const SUPPORTED_EVERY_MS = 300_000
/** While one has not answered: without a fee payer Solana cannot be offered. */
const SUPPORTED_AGAIN_MS = 15_000
/** Share by which the pause between two reads varies. */
const SUPPORTED_JITTER = 0.1
/** No transaction id on the networks we accept is longer. */
const TRANSACTION = /^[0-9A-Za-z]{1,128}$/

export type FacilitatorPool = Facilitators & {
  /** The fee payer to offer on a network that needs one, from the first healthy facilitator. */
  feePayerOf(network: string): string | undefined
  /** Whether one of them signs for this fee payer, or may: not all have said for whom they sign. */
  mayPayFees(network: string, feePayer: string): boolean
  /** How fast buyers may come who have not bought lately: what the readiest of them bears. */
  strangersPace(): Pace
  health(): readonly FacilitatorHealth[]
  /** Asks every facilitator what it supports; never throws. */
  refresh(): Promise<void>
  /** Keeps that knowledge fresh until stopped. */
  run(signal: AbortSignal): Promise<void>
}
/** In order of preference. */
type Preferred = readonly MonitoredFacilitator[]
export type FacilitatorPorts = {
  clock: Clock
  log: Log
  /** In order of preference. */
  members: readonly FacilitatorMember[]
  /** Names that come first on a network, where that differs. */
  preferred?: Readonly<Record<string, readonly string[]>>
  /** That payments are offered on; all that facilitators name where it is absent. */
  networks?: readonly string[]
  /** Between 0 and 1, for jitter. */
  random: () => number
  lookAtPayer?: LookAtPayer
  isUsed?: IsUsed
  /** What the token says about who may move it. */
  token?: { explain: Explain; look(network: string): Promise<void> }
}

/** Several facilitators as one: any that answers may verify, but a payment is settled only where it cannot move twice. */
export function createFacilitators(ports: FacilitatorPorts): FacilitatorPool {
  const { clock, log, members, random, preferred = {} } = ports
  const { lookAtPayer = nobodyKnows, isUsed = nobodyKnows, token = SILENT_TOKEN } = ports
  const facilitators = members.map((member) =>
    createMonitoredFacilitator({ clock, log, random, member, networks: ports.networks, lookAtPayer }),
  )
  const on = (network: string) => inOrder(facilitators, preferred[network] ?? [])
  const refresh = async () => {
    await Promise.all(facilitators.map(({ supported }) => supported.read()))
  }
  return {
    verify: async (payment, isKnown) =>
      verify(
        { clock, log, lookAtPayer, isUsed, explain: token.explain },
        await findAble(on(payment.network), payment),
        payment,
        isKnown,
      ),
    async ready(payment) {
      const waits = (await findAble(on(payment.network), payment)).map((facilitator) =>
        facilitator.settleWaitMs(payment.network),
      )
      if (waits.includes(0)) return
      const waitMs = Math.min(...waits.filter((ms) => ms !== undefined))
      throw Number.isFinite(waitMs) ? facilitatorsBusy(waitMs) : unavailable('no facilitator can settle now')
    },
    async settle(payment, failedAt) {
      const able = await findAble(on(payment.network), payment)
      const landing = putLast(able, (each) => each.landing.isDoubtful(payment.network))
      const inTurn = putLast(landing, ({ name }) => name === failedAt)
      const answer = await settle(clock, log, inTurn, payment)
      // The next buyer is to know if it was the token.
      if (answer.kind !== 'accepted') void token.look(payment.network)
      return answer
    },
    noteLanding(payment, name, isLanded, isNamed = false) {
      const { network, payer } = payment
      for (const facilitator of facilitators) {
        if (facilitator.name === name) facilitator.landing.heard(network, payer, isLanded)
        else if (isNamed) facilitator.landedElsewhere(payment)
      }
      if (!isLanded)
        log.warn(
          { payer: shorten(payer), facilitator: name },
          'what a facilitator settled did not count on the chain in time',
        )
    },
    feePayerOf: (network) => findFeePayer(on(network), network),
    mayPayFees: (network, feePayer) =>
      facilitators.some(
        ({ supported }) => supported.networks() === undefined || supported.ownsFeePayer(network, feePayer),
      ),
    strangersPace: () => findFastest(facilitators.map((facilitator) => facilitator.strangersPace())),
    health: () => facilitators.map((facilitator) => facilitator.health()),
    refresh,
    async run(signal) {
      while (!signal.aborted) {
        await refresh()
        const isOverdue = facilitators.some(({ supported }) => supported.isOverdue())
        const pauseMs = isOverdue ? SUPPORTED_AGAIN_MS : SUPPORTED_EVERY_MS
        await sleep(clock, pauseMs * (1 + SUPPORTED_JITTER * random()), signal)
      }
    },
  }
}

const nobodyKnows = async () => undefined
const SILENT_TOKEN = { explain: async () => undefined, look: async () => {} }

const FULL_PACE: Pace = { share: 1, waitMs: 0 }

/** With none to ask nobody is held up: each is told at once. */
function findFastest(paces: readonly (Pace | undefined)[]): Pace {
  const known = paces.filter((pace) => pace !== undefined)
  const faster = (a: Pace, b: Pace) => a.waitMs - b.waitMs || b.share - a.share
  return known.toSorted(faster)[0] ?? FULL_PACE
}

function inOrder(facilitators: Preferred, first: readonly string[]): Preferred {
  if (first.length === 0) return facilitators
  const named = first.flatMap((name) => facilitators.filter((facilitator) => facilitator.name === name))
  return [...named, ...facilitators.filter((facilitator) => !named.includes(facilitator))]
}

const putLast = (
  facilitators: Preferred,
  isLast: (facilitator: MonitoredFacilitator) => boolean,
): Preferred => [
  ...facilitators.filter((facilitator) => !isLast(facilitator)),
  ...facilitators.filter(isLast),
]

/** Reads again what they support where none is known to own the fee payer: it may be new. */
async function findAble(facilitators: Preferred, payment: Payment): Promise<Preferred> {
  const able = facilitators.filter((facilitator) => facilitator.serves(payment))
  if (able.length > 0) return able
  await Promise.all(facilitators.map(({ supported }) => supported.readSoon()))
  return facilitators.filter((facilitator) => facilitator.serves(payment))
}

/** The next one is asked only if the last certainly did nothing; in doubt nobody else is asked. */
async function settle(
  clock: Clock,
  log: Log,
  facilitators: Preferred,
  payment: Payment,
): Promise<SettleAnswer> {
  const untilMs = clock.now() + FAIL_OVER_WITHIN_MS
  let refused: SettleAnswer = { kind: 'refused', reason: 'no_facilitator', facilitator: undefined }
  for (const facilitator of facilitators) {
    if (clock.now() >= untilMs) break
    // A facilitator that cannot verify is not trusted to settle.
    if (facilitator.breaker('verify', payment.network).state() === 'open') continue
    const reply = await facilitator.settle(payment)
    if (!reply) continue
    const answer = toSettleAnswer(reply, facilitator.name)
    // An accepted payment is logged with its outcome; doubts and refusals get a line of their own.
    if (answer.kind !== 'accepted') {
      const said = reply.kind === 'answer' ? shortWords(reply.answer.reason) : reply.fault
      log.warn(
        { payer: shorten(payment.payer), facilitator: facilitator.name, answer: answer.kind, said },
        'settle was not accepted',
      )
    }
    if (answer.kind !== 'refused') return answer
    refused = answer
  }
  return refused
}

function toSettleAnswer(reply: MemberReply<SettleReply>, facilitator: string): SettleAnswer {
  if (reply.kind === 'fault') {
    if (neverActed(reply.fault)) return { kind: 'refused', reason: reply.fault, facilitator }
    return { kind: 'unknown', facilitator }
  }
  const { success, reason } = reply.answer
  const transaction = findTransaction(reply.answer)
  if (success) return { kind: 'accepted', transaction, facilitator }
  // A facilitator that names a transaction has sent it, even if it says that it failed.
  if (transaction !== undefined || !isDefiniteRefusal(reason))
    return { kind: 'unknown', transaction, facilitator, ...(transaction === undefined && { isFailed: true }) }
  return { kind: 'refused', reason: toRefusalReason(reason), facilitator }
}

const findTransaction = ({ transaction }: SettleReply): string | undefined =>
  transaction !== undefined && TRANSACTION.test(transaction) ? transaction : undefined

/** The first one that is well; else the first that may be. */
function findFeePayer(facilitators: Preferred, network: string): string | undefined {
  const offers = facilitators.flatMap(({ supported, breaker, standing, landing }) => {
    const [feePayer] = supported.networks()?.find((kind) => kind.network === network)?.feePayers ?? []
    if (feePayer === undefined) return []
    const breakers = [breaker('verify', network), breaker('settle', network)]
    const isWell = supported.fault() === undefined && breakers.every((one) => one.isSound())
    const isSound = isWell && !standing.isDoubtful(network) && !landing.isDoubtful(network)
    return [{ feePayer, isSound, isUp: breakers.every((one) => one.state() === 'closed') }]
  })
  return (offers.find(({ isSound }) => isSound) ?? offers.find(({ isUp }) => isUp) ?? offers[0])?.feePayer
}
