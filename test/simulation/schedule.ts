import { createSeeded, type Seeded } from '../../src/testing/seeded.ts'
import { createSimulatedNodes } from './chain/nodes.ts'
import { createSimulatedChain, type SimulatedChain } from './chain/simulated-chain.ts'
import { createSimulatedFacilitator } from './facilitators/facilitator.ts'
import { drawFaults, type Faults } from './faults.ts'
import { type GateCode, realCode } from './gate-code.ts'
import { drawLength } from './length.ts'
import { type Authorization, createSignedBook, EVM } from './people/authorization.ts'
import { findLostPlaces } from './people/probe.ts'
import { planCrashes, planOutages, planReorganisations } from './plan.ts'
import { createDisk } from './seller/disk.ts'
import { createFindings } from './seller/findings.ts'
import { createService } from './seller/service.ts'
import { play } from './story.ts'
import { createTimeline, type Timeline, type Trace } from './timeline.ts'
import { type Charges, measureCharges } from './verdict/charges.ts'
import { findBrokenFinality } from './verdict/finality.ts'
import { findViolations, type Seen, type Violation } from './verdict/invariants.ts'

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
  charges: Charges
  violations: readonly Violation[]
}

const START_MS = 1_800_000_000_000
const LONG_LIFE_MS = 200_000
/** The life that our own checks ask for, and the error of our clock. */
const NEARLY_DEAD_MS = 18_000

/** One seed, one story: buyers and thieves meet the real gate while everything around it fails, until all is calm again. */
export async function runSchedule(seed: number, options: ScheduleOptions = {}): Promise<ScheduleResult> {
  const random = createSeeded(seed)
  const timeline = createTimeline(START_MS)
  const { trace: tell, code = realCode } = options
  const trace: Trace =
    tell && ((line) => tell(`${String(timeline.now() - START_MS).padStart(7)} ms  ${line}`))
  const faults = drawFaults(random)
  const base = { timeline, random, faults, trace }
  const chain = createSimulatedChain({ ...base, startMs: START_MS })
  const nodes = createSimulatedNodes({ ...base, chain, code })
  const disk = createDisk(base)
  const signed = createSignedBook()
  const findings = createFindings({ timeline, chain, signed, trace }, disk.finality)
  const seen: Seen = { strayed: [], forged: [], odd: [] }
  const denied = new Set<string>()
  const world = {
    ...{ timeline, random, chain, signed, trace, ...createPreempt(timeline, random, faults, chain) },
    strayed: (key: string) => void seen.strayed.push(key),
    forged: (key: string) => void seen.forged.push(key),
    denied: (key: string) => void denied.add(key),
  }
  const facilitators = ['a', 'b', 'c'].map((name) => createSimulatedFacilitator(world, name, faults))
  const holdsClaims = random.chance(0.5)
  const service = createService({
    ...{ ...base, chain, nodes, signed, facilitators, disk, findings, code, holdsClaims },
    processes: holdsClaims || random.chance(0.3) ? 1 : 2,
  })
  const length = drawLength(random, faults)
  const calmAtMs = START_MS + random.between(...length.calmInMs)
  const nodesAtMs = planOutages({ ...base, calmAtMs }, facilitators, nodes)
  planReorganisations({ ...base, calmAtMs }, chain)
  planCrashes({ ...base, calmAtMs }, service, options.crashAfterEvents)
  /** Only with reason: it has died unused, or a facilitator found fault with it. An outage is no reason. */
  const mayRefuse = ({ key, diesAtMs }: Authorization, reason: string | undefined) => {
    if (chain.transferOf(key)) return false
    if (reason === 'payment_void') return timeline.now() >= diesAtMs
    if (reason === 'expired' && timeline.now() + NEARLY_DEAD_MS >= diesAtMs) return true
    return denied.has(key)
  }
  const nonces = new Map<string, number>()
  const nextNonce = (name: string) => {
    const nonce = (nonces.get(name) ?? 0) + 1
    nonces.set(name, nonce)
    return nonce
  }
  const signedBy = (name: string) => nonces.get(name) ?? 0
  const odd = (what: string) => void seen.odd.push(what)
  const hasBought = (key: string) => ['settling', 'settled'].includes(disk.rows.get(key)?.state ?? '')
  const people = { ...world, service, calmAtMs, mayRefuse, nextNonce, signedBy, hasBought, odd }
  const { purchases, isHostile } = await play(people, disk, {
    ...{ signed, length },
    decidableFromMs: nodesAtMs + nodes.lastAfterMs,
  })
  const reachableFromMs = Math.max(calmAtMs, nodesAtMs, service.upSinceMs())
  const { late, ...charges } = measureCharges({ chain, service, disk, findings, reachableFromMs })
  const { isToTheEnd } = length
  const violations = [
    ...findViolations({ chain, nodes, service, rows: disk.rows, purchases, seen, late }),
    ...(await findBrokenFinality({ chain, service, disk, findings, code, isToTheEnd })),
  ]
  const result = {
    ...{ seed, charges },
    events: timeline.events(),
    transfers: chain.transfers().length,
    delivered: service.deliveries.length,
  }
  const lostPlaces = isHostile ? await findLostPlaces(people, facilitators) : 0
  if (lostPlaces > 0) violations.push({ rule: 'a place was never given back', subject: `${lostPlaces}` })
  return { ...result, violations }
}

/** Somebody sees an authorization on its way to a facilitator and submits it first. */
function createPreempt(timeline: Timeline, random: Seeded, faults: Faults, chain: SimulatedChain) {
  const preempted = new Set<string>()
  const spared = new Set<string>()
  return {
    spare: (key: string) => void spared.add(key),
    preempt(authorization: Authorization): boolean {
      const { key, network, diesAtMs } = authorization
      // Only where there is time to fetch the goods once all is calm.
      if (network !== EVM || diesAtMs < timeline.now() + LONG_LIFE_MS) return preempted.has(key)
      if (!random.chance(faults.preempted) || spared.has(key)) return preempted.has(key)
      preempted.add(key)
      chain.broadcast(authorization, random.between(0, 3_000), 'stranger')
      return true
    },
  }
}
