import type { Pace } from '../../core/fair-queue.ts'
import type { Log } from '../../core/log.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { Payment } from '../gate/payment.ts'
import { type Breaker, type BreakerOf, type BreakerState, createBreaker, type Step } from './breaker.ts'
import { createLoad, type Load } from './load.ts'
import type { LookAtPayer } from './look-at-payer.ts'
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
import { createStanding, type Standing } from './standing.ts'
import { createTally, type Tally } from './tally.ts'
import { within } from './within.ts'

export const VERIFY_TIMEOUT_MS = 5_000
export const SETTLE_TIMEOUT_MS = 10_000

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

/** A facilitator and its health. */
export type MonitoredFacilitator = {
  name: string
  supported: Supported
  /** Whether it can settle this payment; one that names a fee payer only its owner can settle. */
  serves(payment: Payment): boolean
  breaker: BreakerOf
  /** Undefined where its breaker does not let the call out. */
  verify(payment: Payment, isKnown?: boolean): Promise<MemberReply<VerifyReply> | undefined>
  settle(payment: Payment): Promise<MemberReply<SettleReply> | undefined>
  /** In how many ms it may settle one more; 0: now, undefined: its breakers do not let a call out. */
  settleWaitMs(network: string): number | undefined
  /** By payments that it verified. */
  standing: Standing
  /** By payments that it says it has settled. */
  landing: Standing
  landedElsewhere: Tally['landedElsewhere']
  /** Whether verify calls have become few. */
  isScarce(): boolean
  /** How fast strangers may come; undefined where it is not asked at all now. */
  strangersPace(): Pace | undefined
  health(): FacilitatorHealth
}
type Asked = { payment: Payment; isKnown?: boolean | undefined }
type Call<T> = (signal: AbortSignal) => Promise<MemberReply<T>>
type Ports = {
  clock: Clock
  log: Log
  random: () => number
  member: FacilitatorMember
  networks?: readonly string[] | undefined
  lookAtPayer: LookAtPayer
}

export function createMonitoredFacilitator(ports: Ports): MonitoredFacilitator {
  const { clock, random, member } = ports
  const supported = createSupported(ports)
  const [standing, landing] = [createStanding(clock), createStanding(clock)]
  const breaker = createBreakers(clock, random)
  const loads = createLoads(clock, member)
  const life = createProofOfLife({ clock, member, load: loads.verify, limitMs: VERIFY_TIMEOUT_MS })
  const tally = createTally({ ...ports, breaker, life, supported })
  const ask = async <T extends object>(step: Step, asked: Asked, limitMs: number, call: Call<T>) => {
    const { network } = asked.payment
    if (!breaker(step, network).enter()) return undefined
    const place = loads[step].enter(asked.isKnown)
    if (typeof place === 'number') {
      breaker(step, network).undecided()
      return busyFor(place)
    }
    const startedMs = clock.now()
    const reply = await within(clock, limitMs, call)
    tally.note(step, asked.payment, startedMs, reply)
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
    settleWaitMs(network) {
      const mayEnter = breaker('verify', network).state() !== 'open' && breaker('settle', network).mayEnter()
      return mayEnter ? loads.settle.waitMs() : undefined
    },
    standing,
    landing,
    landedElsewhere: tally.landedElsewhere,
    isScarce: () => loads.verify.isScarce(),
    strangersPace: () => (isShut(supported, breaker) ? undefined : loads.verify.strangersPace()),
    health: () => {
      const newest = laterOf(tally.lastFault(), supported.fault())
      const latencyMs = tally.latencyMs()
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

const statesOf = (network: string, breaker: BreakerOf) => ({
  network,
  verify: breaker('verify', network).state(),
  settle: breaker('settle', network).state(),
})

/** Whether it can do all that a sale needs, on a network that payments are offered on. */
export const isAble = ({ networks }: Pick<FacilitatorHealth, 'networks'>): boolean =>
  networks.some(({ verify, settle }) => verify !== 'open' && settle !== 'open')

/** On all of its networks. */
const isShut = (supported: Supported, breaker: BreakerOf): boolean =>
  supported.networks()?.every(({ network }) => breaker('verify', network).state() === 'open') ?? false

const isBusy = (reply: MemberReply<object>): reply is Faulty =>
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
