import type { Log } from '../../core/log.ts'
import { shorten } from '../../core/shorten.ts'
import { type Clock, sleep } from '../../core/time/clock.ts'
import type { Payment } from '../gate/payment.ts'
import type { Facilitators, SettleAnswer, VerifyAnswer } from '../gate/ports.ts'
import { type FacilitatorMember, type MemberReply, neverActed, type SettleReply } from './members/member.ts'
import { isDefiniteRefusal, isOwnTrouble, saysUsed, toRefusalReason } from './members/reasons.ts'
import {
  createMonitoredFacilitator,
  type FacilitatorHealth,
  type MonitoredFacilitator,
} from './monitored-facilitator.ts'

/** After this time no further facilitator is asked about a payment. */
export const VERIFY_WITHIN_MS = 10_000
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
  /** Between 0 and 1, for jitter. */
  random: () => number
}

/** Several facilitators as one: any that answers may verify, but a payment is settled only where it cannot move twice. */
export function createFacilitators(ports: FacilitatorPorts): FacilitatorPool {
  const { clock, log, members, random, preferred = {} } = ports
  const facilitators = members.map((member) => createMonitoredFacilitator({ clock, log, random, member }))
  const on = (network: string) => inOrder(facilitators, preferred[network] ?? [])
  const refresh = async () => {
    await Promise.all(facilitators.map(({ supported }) => supported.read()))
  }
  return {
    verify: async (payment) => verify(clock, await findAble(on(payment.network), payment), payment),
    settle: async (payment) => settle(clock, log, await findAble(on(payment.network), payment), payment),
    feePayerOf: (network) => findFeePayer(on(network), network),
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

function inOrder(facilitators: Preferred, first: readonly string[]): Preferred {
  if (first.length === 0) return facilitators
  const named = first.flatMap((name) => facilitators.filter((facilitator) => facilitator.name === name))
  return [...named, ...facilitators.filter((facilitator) => !named.includes(facilitator))]
}

/** Reads again what they support where none is known to own the fee payer: it may be new. */
async function findAble(facilitators: Preferred, payment: Payment): Promise<Preferred> {
  const able = facilitators.filter((facilitator) => facilitator.serves(payment))
  if (able.length > 0) return able
  await Promise.all(facilitators.map(({ supported }) => supported.readSoon()))
  return facilitators.filter((facilitator) => facilitator.serves(payment))
}

async function verify(clock: Clock, facilitators: Preferred, payment: Payment): Promise<VerifyAnswer> {
  const untilMs = clock.now() + VERIFY_WITHIN_MS
  for (const facilitator of facilitators) {
    if (clock.now() >= untilMs) break
    if (!facilitator.breaker('verify', payment.network).enter()) continue
    const reply = await facilitator.verify(payment)
    if (reply.kind === 'fault') continue
    const { isValid, reason } = reply.answer
    if (isValid) return { kind: 'valid' }
    if (saysUsed(reason)) return { kind: 'used' }
    if (!isOwnTrouble(reason)) return { kind: 'invalid', reason: toRefusalReason(reason) }
  }
  return { kind: 'unavailable' }
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
    if (!facilitator.breaker('settle', payment.network).enter()) continue
    const answer = toSettleAnswer(await facilitator.settle(payment), facilitator.name)
    // An accepted payment is logged with its outcome; doubts and refusals get a line of their own.
    if (answer.kind !== 'accepted')
      log.warn(
        { payer: shorten(payment.payer), facilitator: facilitator.name, answer: answer.kind },
        'settle was not accepted',
      )
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
  if (transaction !== undefined || !isDefiniteRefusal(reason)) return { kind: 'unknown', facilitator }
  return { kind: 'refused', reason: toRefusalReason(reason), facilitator }
}

const findTransaction = ({ transaction }: SettleReply): string | undefined =>
  transaction !== undefined && TRANSACTION.test(transaction) ? transaction : undefined

function findFeePayer(facilitators: Preferred, network: string): string | undefined {
  const offers = facilitators.flatMap(({ supported, breaker }) => {
    const [feePayer] = supported.networks()?.find((kind) => kind.network === network)?.feePayers ?? []
    return feePayer === undefined
      ? []
      : [
          {
            feePayer,
            isUp:
              breaker('verify', network).state() === 'closed' &&
              breaker('settle', network).state() === 'closed',
          },
        ]
  })
  return (offers.find(({ isUp }) => isUp) ?? offers[0])?.feePayer
}
