import type { Pace } from '../../core/fair-queue.ts'
import type { Log } from '../../core/log.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { Payment } from '../gate/payment.ts'
import { type Breaker, type BreakerState, createBreaker } from './breaker.ts'
import { createLoad, type Load } from './load.ts'
import {
  busyFor,
  type FacilitatorMember,
  type Fault,
  type Faulty,
  type MemberReply,
  type SettleReply,
  type VerifyReply,
} from './members/member.ts'
import { createSupported, type FaultAt, type Supported } from './members/supported.ts'
import { createProofOfLife } from './proof-of-life.ts'
import { within } from './within.ts'

export const VERIFY_TIMEOUT_MS = 5_000
export const SETTLE_TIMEOUT_MS = 10_000
/** Weight of the newest call in the running latency. */
const LATENCY_WEIGHT = 0.2
/** It was reached and read the payment, which may be all that it fails on. */
const OF_ONE_PAYMENT: ReadonlySet<Fault> = new Set<Fault>(['server_error', 'unparsable'])
/** So may one that is not answered in time: a contract can be slow to tell whether it signed. */
const MAY_BE_ODD: ReadonlySet<Fault> = new Set<Fault>([...OF_ONE_PAYMENT, 'timeout'])

export type Step = 'verify' | 'settle'
/** What /health and the status page may show: no addresses with credentials, no payloads. */
export type FacilitatorHealth = {
  name: string
  networks: readonly { network: string; verify: BreakerState; settle: BreakerState }[]
  latencyMs: number | undefined
  /** Of any call, also the one that asks what it supports. */
  lastFault: Fault | undefined
  lastFaultAtMs: number | undefined
  supportedReadAtMs: number | undefined
  /** Why the last question what it supports got no answer. */
  supportedFault: Fault | undefined
}

/** A facilitator and its health. Breakers are per network and step: it may verify well and settle badly. */
export type MonitoredFacilitator = {
  name: string
  supported: Supported
  /** Whether it can settle this payment; one that names a fee payer only its owner can settle. */
  serves(payment: Payment): boolean
  breaker(step: Step, network: string): Breaker
  /** Undefined where its breaker does not let the call out. */
  verify(payment: Payment, isKnown?: boolean): Promise<MemberReply<VerifyReply> | undefined>
  settle(payment: Payment): Promise<MemberReply<SettleReply> | undefined>
  /** Whether verify calls have become few. */
  isScarce(): boolean
  /** How fast strangers may come; undefined where it is not asked at all now. */
  strangersPace(): Pace | undefined
  health(): FacilitatorHealth
}
type Asked = { payment: Payment; isKnown?: boolean | undefined }
type Call<T> = (signal: AbortSignal) => Promise<MemberReply<T>>
type Ports = { clock: Clock; log: Log; random: () => number; member: FacilitatorMember }

export function createMonitoredFacilitator({ clock, log, random, member }: Ports): MonitoredFacilitator {
  const supported = createSupported({ clock, member })
  const breaker = createBreakers(clock, random)
  const loads = createLoads(clock, member)
  let latencyMs: number | undefined
  let last: FaultAt | undefined
  const life = createProofOfLife({ clock, member, load: loads.verify, limitMs: VERIFY_TIMEOUT_MS })
  const fail = (step: Step, network: string, fault: Fault, payer: string) => {
    const whose = OF_ONE_PAYMENT.has(fault) ? payer : undefined
    // Settling cannot be tried out.
    if (step === 'verify' && MAY_BE_ODD.has(fault)) life.failed(network, breaker(step, network), whose)
    else breaker(step, network).failed(whose)
  }
  const note = (step: Step, { network, payer }: Payment, startedMs: number, reply: MemberReply<unknown>) => {
    const ms = clock.now() - startedMs
    if (reply.kind === 'answer') {
      latencyMs = latencyMs === undefined ? ms : latencyMs + LATENCY_WEIGHT * (ms - latencyMs)
      return breaker(step, network).succeeded()
    }
    last = { fault: reply.fault, atMs: clock.now() }
    log.warn({ facilitator: member.name, step, network, fault: reply.fault, ms }, 'a facilitator failed')
    // Too many calls say nothing about its health: it is left alone for a while, and another one is asked.
    if (reply.fault === 'busy') return breaker(step, network).undecided()
    // A rejected payload says nothing about its health: else three odd payments would block all others.
    if (reply.fault === 'rejected') breaker(step, network).succeeded()
    else fail(step, network, reply.fault, payer)
    void supported.readSoon()
  }
  const ask = async <T>(step: Step, asked: Asked, limitMs: number, call: Call<T>) => {
    const { network } = asked.payment
    if (!breaker(step, network).enter()) return undefined
    const place = loads[step].enter(asked.isKnown)
    if (typeof place === 'number') {
      breaker(step, network).undecided()
      return busyFor(place)
    }
    const startedMs = clock.now()
    const reply = await within(clock, limitMs, call)
    note(step, asked.payment, startedMs, reply)
    if (isBusy(reply)) return busyFor(place.refused(reply.waitMs ?? 0))
    place.leave()
    return reply
  }
  return {
    name: member.name,
    supported,
    serves: (payment) => servesPayment(supported, payment),
    breaker,
    verify: (payment, isKnown) =>
      ask('verify', { payment, isKnown }, VERIFY_TIMEOUT_MS, (signal) =>
        life.verify(payment.network, toRequest(payment), signal),
      ),
    settle: (payment) =>
      ask('settle', { payment }, SETTLE_TIMEOUT_MS, (signal) => member.settle(toRequest(payment), signal)),
    isScarce: () => loads.verify.isScarce(),
    strangersPace: () => (isShut(supported, breaker) ? undefined : loads.verify.strangersPace()),
    health: () => {
      const newest = laterOf(last, supported.fault())
      return {
        name: member.name,
        networks: (supported.networks() ?? []).map(({ network }) => statesOf(network, breaker)),
        latencyMs: latencyMs === undefined ? undefined : Math.round(latencyMs),
        lastFault: newest?.fault,
        lastFaultAtMs: newest?.atMs,
        supportedReadAtMs: supported.readAtMs(),
        supportedFault: supported.fault()?.fault,
      }
    },
  }
}

const createLoads = (clock: Clock, { limits }: FacilitatorMember): Record<Step, Load> => ({
  verify: createLoad(clock, limits?.verify),
  settle: createLoad(clock, limits?.settle),
})

const statesOf = (network: string, breaker: MonitoredFacilitator['breaker']) => ({
  network,
  verify: breaker('verify', network).state(),
  settle: breaker('settle', network).state(),
})

/** On all of its networks. */
const isShut = (supported: Supported, breaker: MonitoredFacilitator['breaker']): boolean =>
  supported.networks()?.every(({ network }) => breaker('verify', network).state() === 'open') ?? false

const isBusy = (reply: MemberReply<unknown>): reply is Faulty =>
  reply.kind === 'fault' && reply.fault === 'busy'

const laterOf = (a: FaultAt | undefined, b: FaultAt | undefined) =>
  a && b ? (a.atMs > b.atMs ? a : b) : (a ?? b)

/** Networks come from our own terms, so there are few of them. */
function createBreakers(clock: Clock, random: () => number) {
  const breakers = new Map<string, Breaker>()
  return (step: Step, network: string): Breaker => {
    const key = `${step} ${network}`
    const breaker = breakers.get(key) ?? createBreaker({ clock, random })
    breakers.set(key, breaker)
    return breaker
  }
}

function servesPayment(supported: Supported, { network, requirement }: Payment): boolean {
  const { feePayer } = requirement.extra
  if (feePayer !== undefined) return supported.ownsFeePayer(network, feePayer)
  // Unknown until the first answer: asking costs little, refusing would lose a sale.
  return supported.networks()?.some((kind) => kind.network === network) ?? true
}

const toRequest = ({ payload, requirement }: Payment) =>
  ({ x402Version: 2, paymentPayload: payload, paymentRequirements: requirement }) as const
