import { EVM } from '../people/authorization.ts'
import {
  createSimulatedNode,
  type Flaws,
  type NodeWorld,
  type SimulatedNode,
  type Trouble,
} from './simulated-node.ts'

/** The nodes that the service asks, of both chains. */
export type SimulatedNodes = {
  evm: readonly SimulatedNode[]
  svm: readonly SimulatedNode[]
  /** All nodes of both chains at once. */
  setOutage(trouble: Trouble): void
  heal(): void
  /** After `heal` the last one comes back so much later. */
  lastAfterMs: number
  /** Somebody is about to move this payment. */
  noteSettle(network: string, key: string): void
  /** Payments that were sent while nobody had been able to ask the chain for a while. */
  sentBlindly: readonly string[]
}

export const NODE_TROUBLES = ['silent', 'limited', 'failing'] as const
/** Twice what a charged buyer may have to wait for his reply. */
const LOST_FOR_MS = 60_000
/** Longer than it takes from the last look at the chain to a facilitator. */
const KNOWN_AFTER_MS = 2_000
const GOOD: Flaws = {
  lagMs: 0,
  keepsBlocks: Number.POSITIVE_INFINITY,
  isForgetful: false,
  isHasty: false,
  batchLimit: Number.POSITIVE_INFINITY,
}

export function createSimulatedNodes(world: NodeWorld): SimulatedNodes {
  const { timeline, random, faults } = world
  const sentBlindly: string[] = []
  const isQuiet = faults.dropReply === 0
  const counts = { evm: random.pick([1, 2, 2]), svm: random.pick([1, 1, 2]) }
  /** Only one of two may have lost its state: of a chain with one node that lies nobody can know anything. */
  const forgetful = counts.evm === 2 && random.chance(faults.forgetful) ? random.between(0, 1) : undefined
  const drawFlaws = (kind: 'evm' | 'svm', index: number): Flaws => ({
    lagMs: random.chance(faults.laggard) ? random.between(500, 4_000) : 0,
    keepsBlocks: random.chance(faults.pruned) ? random.between(0, 20) : Number.POSITIVE_INFINITY,
    isForgetful: index === forgetful,
    isHasty: random.chance(faults.hasty),
    batchLimit: kind === 'evm' && random.chance(faults.smallBatches) ? random.between(1, 3) : GOOD.batchLimit,
  })
  const make = (kind: 'evm' | 'svm') =>
    Array.from({ length: counts[kind] }, (_, index) =>
      createSimulatedNode(world, kind, isQuiet ? GOOD : drawFlaws(kind, index)),
    )
  const evm = make('evm')
  const svm = make('svm')
  const all = [...evm, ...svm]
  const lost = counts.evm === 2 && random.chance(faults.lost) ? evm[random.between(0, 1)] : undefined
  lost?.setTrouble(random.pick(NODE_TROUBLES))
  let outSinceMs: number | undefined
  return {
    evm,
    svm,
    lastAfterMs: lost ? LOST_FOR_MS : 0,
    setOutage(trouble) {
      outSinceMs = timeline.now()
      for (const node of all) node.setTrouble(trouble)
    },
    heal() {
      outSinceMs = undefined
      for (const node of all) if (node !== lost) node.heal()
      // The last one of two says nothing that the other cannot say, except that a payment is dead.
      if (lost) timeline.after(LOST_FOR_MS, lost.heal)
    },
    noteSettle(network, key) {
      const own = network === EVM ? evm : svm
      if (outSinceMs === undefined || !own.every((node) => node.isOut())) return
      if (timeline.now() - outSinceMs > KNOWN_AFTER_MS) sentBlindly.push(key)
    },
    sentBlindly,
  }
}
