import type { ChainNode } from '../../payments/chain/nodes/chain-node.ts'
import type { ChainNodes } from '../../payments/chain/nodes/chain-nodes.ts'
import { NodeFault } from '../../payments/chain/nodes/node-kind.ts'
import { type Dependency, ShownFault } from './watch.ts'

const EVERY_MS = 15_000

/** The chain nodes that decide what was paid, by the name of their chain. Also what ends the trouble of a node in time. */
export function nodeDependencies(chains: readonly ChainNodes[]): Dependency[] {
  return chains.flatMap(({ name, all }) => all.map((node, at) => dependencyOf(name, node, at, all.length)))
}

function dependencyOf(name: string, node: ChainNode, at: number, count: number): Dependency {
  return {
    name: count === 1 ? name : `${name} ${at + 1}`,
    where: { host: node.host },
    trouble: 'does not answer',
    everyMs: EVERY_MS,
    probe: () =>
      node.probe().catch((error: unknown) => {
        throw error instanceof NodeFault ? new ShownFault(error.message) : error
      }),
  }
}
