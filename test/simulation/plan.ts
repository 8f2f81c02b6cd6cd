import type { Seeded } from '../../src/testing/seeded.ts'
import { NODE_TROUBLES, type SimulatedNodes } from './chain/nodes.ts'
import { MAX_REORG_BLOCKS, type SimulatedChain } from './chain/simulated-chain.ts'
import type { SimulatedFacilitator } from './facilitators/facilitator.ts'
import { type Faults, stopFaults } from './faults.ts'
import type { Timeline } from './timeline.ts'

type Plan = { timeline: Timeline; random: Seeded; calmAtMs: number }

const MAX_CRASHES = 5

/** Whole members and nodes go away for a while; at the calm everything comes back for good. Returns when the last does. */
export function planOutages(
  { timeline, random, faults, calmAtMs }: Plan & { faults: Faults },
  facilitators: readonly SimulatedFacilitator[],
  nodes: SimulatedNodes,
): number {
  const calmInMs = calmAtMs - timeline.now()
  const isQuiet = faults.dropReply === 0
  const someTime = () => random.between(0, calmInMs)
  if (!isQuiet && random.chance(0.3)) {
    const trouble = random.pick(NODE_TROUBLES)
    timeline.after(someTime(), () => nodes.setOutage(trouble))
  }
  for (const node of [...nodes.evm, ...nodes.svm]) {
    if (!isQuiet && random.chance(0.1)) {
      const trouble = random.pick(NODE_TROUBLES)
      timeline.after(someTime(), () => node.setTrouble(trouble))
    }
    if (random.chance(faults.frozen)) timeline.after(someTime(), node.freeze)
  }
  for (const facilitator of facilitators) {
    if (isQuiet || !random.chance(0.15)) continue
    const outage = random.pick(['unreachable', 'silent', 'failing'] as const)
    timeline.after(someTime(), () => facilitator.setOutage(outage))
  }
  timeline.after(calmInMs, () => {
    stopFaults(faults)
    for (const facilitator of facilitators) facilitator.setOutage('none')
  })
  // The nodes may be the last to come back, when some authorizations have died already.
  const nodesInMs = calmInMs + random.pick([0, 0, 20_000, 60_000])
  timeline.after(nodesInMs, nodes.heal)
  return timeline.now() + nodesInMs
}

export function planReorganisations(
  { timeline, random, faults, calmAtMs }: Plan & { faults: Faults },
  chain: SimulatedChain,
): void {
  for (let atMs = timeline.now(); atMs < calmAtMs; atMs += 1_000) {
    if (!random.chance(faults.reorganisation)) continue
    const depth = random.between(1, MAX_REORG_BLOCKS)
    timeline.after(atMs - timeline.now() + random.between(0, 999), () => chain.reorganise(depth))
  }
}

export function planCrashes(
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
