import type { Payment } from '../../src/payments/gate/payment.ts'
import type { MemoryRow } from '../../src/testing/ledger/memory-payment-rows.ts'
import { createSeeded, type Seeded } from '../../src/testing/seeded.ts'
import { type Authorization, authorizationIn, EVM, keyOf } from './authorization.ts'
import { type BuyerWorld, buyAndVanish, buyHonestly, type Purchase } from './buyers.ts'
import { createSimulatedChain } from './chain.ts'
import { createDisk } from './disk.ts'
import { createSimulatedFacilitator, type SimulatedFacilitator } from './facilitator.ts'
import { drawFaults, type Faults, stopFaults } from './faults.ts'
import { type GateCode, realCode } from './gate-code.ts'
import { findViolations, type Violation } from './invariants.ts'
import { createService } from './service.ts'
import { reuseIdentifier, steal } from './thieves.ts'
import { createTimeline, type Timeline, type Trace } from './timeline.ts'

export type ScheduleOptions = {
  code?: GateCode
  /** Crashes exactly after these events instead of at random times. */
  crashAfterEvents?: readonly number[]
  trace?: (line: string) => void
}
export type ScheduleResult = {
  seed: number
  events: number
  transfers: number
  delivered: number
  violations: readonly Violation[]
}

const START_MS = 1_800_000_000_000
const MAX_CRASHES = 5
/** Time allowed after the last authorization has died: I7. */
const MARGIN_MS = 60_000

/** One seed, one story: buyers and thieves meet the real gate while everything around it fails, until all is calm again. */
export async function runSchedule(seed: number, options: ScheduleOptions = {}): Promise<ScheduleResult> {
  const random = createSeeded(seed)
  const timeline = createTimeline(START_MS)
  const { trace: tell } = options
  const trace: Trace =
    tell && ((line) => tell(`${String(timeline.now() - START_MS).padStart(7)} ms  ${line}`))
  const faults = drawFaults(random)
  const chain = createSimulatedChain({ timeline, random, faults, trace })
  const disk = createDisk({ timeline, random, faults, trace })
  const strayed: string[] = []
  const denied = new Set<string>()
  const preempted = new Set<string>()
  const preempt = (authorization: Authorization) => {
    // Only where there is time to fetch the goods once all is calm.
    const key = keyOf(authorization)
    if (authorization.network !== EVM || authorization.diesAtMs < timeline.now() + LONG_LIFE_MS)
      return preempted.has(key)
    if (!random.chance(faults.preempted)) return preempted.has(key)
    preempted.add(key)
    void chain.broadcast(authorization, random.between(0, 3_000), 'stranger')
    return true
  }
  const world = {
    ...{ timeline, random, chain, preempt, trace },
    strayed: (key: string) => void strayed.push(key),
    denied: (key: string) => void denied.add(key),
  }
  const facilitators = ['a', 'b', 'c'].map((name) => createSimulatedFacilitator(world, name, faults))
  const service = createService({
    ...{ timeline, random, faults, chain, facilitators, disk, trace },
    code: options.code ?? realCode,
    holdsClaims: random.chance(0.5),
  })
  const calmAtMs = START_MS + random.between(5_000, 25_000)
  planOutages({ timeline, random, faults, calmAtMs }, facilitators, chain)
  planCrashes({ timeline, random, calmAtMs }, service, options.crashAfterEvents)
  /** Only with reason: it has died unused, or a facilitator found fault with it. An outage is no reason. */
  const mayRefuse = (authorization: Authorization, reason: string | undefined) => {
    if (chain.transferOf(keyOf(authorization))) return false
    if (reason === 'payment_void') return timeline.now() >= authorization.diesAtMs
    if (reason === 'expired' && timeline.now() + NEARLY_DEAD_MS >= authorization.diesAtMs) return true
    return denied.has(keyOf(authorization))
  }
  let nonces = 0
  const nextNonce = () => `n${++nonces}`
  const purchases = await play(
    { timeline, random, chain, service, calmAtMs, mayRefuse, nextNonce, trace },
    disk.rows,
  )
  const violations = findViolations({ chain, service, rows: disk.rows, purchases, strayed })
  return {
    seed,
    events: timeline.events(),
    transfers: chain.transfers().length,
    delivered: service.deliveries.length,
    violations,
  }
}

const LONG_LIFE_MS = 200_000
/** The life that our own checks ask for, and the error of our clock. */
const NEARLY_DEAD_MS = 17_000

/** Everybody goes about their business; it ends when all are done and no row is open, or time is up. */
async function play(world: BuyerWorld, rows: ReadonlyMap<string, MemoryRow>): Promise<Purchase[]> {
  const { timeline, random, calmAtMs } = world
  const purchases: Purchase[] = []
  const people: Promise<unknown>[] = []
  const buyers = random.between(1, 3)
  for (let buyer = 0; buyer < buyers; buyer++) {
    const buy = random.chance(0.25) ? buyAndVanish : buyHonestly
    people.push(buy(world, `buyer${buyer}`).then((purchase) => purchases.push(purchase)))
  }
  if (random.chance(0.6)) people.push(steal(world, 'thief'))
  if (random.chance(0.1)) people.push(reuseIdentifier(world, 'doubler'))
  let busy = people.length
  for (const person of people) person.then(() => busy--)
  let lastMs = 0
  await timeline.run(() => {
    if (busy > 0 || timeline.now() < calmAtMs) return false
    if (!hasOpenRows(rows)) return true
    lastMs ||= Math.max(timeline.now(), calmAtMs, ...latestDeath(rows)) + MARGIN_MS
    return timeline.now() > lastMs
  })
  return purchases
}

function hasOpenRows(rows: ReadonlyMap<string, MemoryRow>): boolean {
  for (const { state } of rows.values()) if (state === 'claimed' || state === 'settling') return true
  return false
}

const latestDeath = (rows: ReadonlyMap<string, MemoryRow>): number[] =>
  [...rows.values()].map(({ payment }) => authorizationIn((JSON.parse(payment) as Payment).payload).diesAtMs)

type Plan = { timeline: Timeline; random: Seeded; calmAtMs: number }

/** Whole members and the node go away for a while; at the calm everything comes back for good. */
function planOutages(
  { timeline, random, faults, calmAtMs }: Plan & { faults: Faults },
  facilitators: readonly SimulatedFacilitator[],
  chain: { setOutage(isOut: boolean): void },
): void {
  const calmInMs = calmAtMs - timeline.now()
  const isQuiet = faults.dropReply === 0
  if (!isQuiet && random.chance(0.3)) {
    timeline.after(random.between(0, calmInMs), () => chain.setOutage(true))
  }
  for (const facilitator of facilitators) {
    if (isQuiet || !random.chance(0.15)) continue
    const outage = random.pick(['unreachable', 'silent', 'failing'] as const)
    timeline.after(random.between(0, calmInMs), () => facilitator.setOutage(outage))
  }
  timeline.after(calmInMs, () => {
    stopFaults(faults)
    for (const facilitator of facilitators) facilitator.setOutage('none')
  })
  // The node may be the last to come back, when some authorizations have died already.
  timeline.after(calmInMs + random.pick([0, 0, 20_000, 60_000]), () => chain.setOutage(false))
}

function planCrashes(
  { timeline, random, calmAtMs }: Plan,
  service: { crash(): void },
  crashAfterEvents: readonly number[] | undefined,
): void {
  if (crashAfterEvents) {
    timeline.onEvent((count) => {
      if (crashAfterEvents.includes(count)) service.crash()
    })
    return
  }
  const crashes = random.chance(0.3) ? 0 : random.between(1, MAX_CRASHES)
  for (let crash = 0; crash < crashes; crash++) {
    timeline.after(random.between(0, calmAtMs - timeline.now()), () => service.crash())
  }
}
