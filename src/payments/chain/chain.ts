import type { FinalChain, Reviewer } from '../finality/ports.ts'
import type { Chain } from '../gate/ports.ts'
import type { ChainNodes } from './nodes/chain-nodes.ts'

/** Says what became of a payment. */
export type Referee = Pick<Chain, 'outcome'>
/** A chain with its nodes and the referee who asks them. */
export type JudgedChain = { nodes: ChainNodes; referee: Referee; reviewer: Reviewer }

/** One referee for all networks: each payment is looked up on its own chain. */
export function createChain(judged: {
  evm: JudgedChain | undefined
  svm: JudgedChain | undefined
}): Chain & FinalChain {
  const of = (network: string): JudgedChain => {
    const found = network.startsWith('eip155:') ? judged.evm : judged.svm
    if (!found) throw new Error(`there is no node to ask about ${network}`)
    return found
  }
  return {
    ready: async (network, ms) => of(network).nodes.ready(ms),
    outcome: async (payment, ...asked) => of(payment.network).referee.outcome(payment, ...asked),
    isStrained: (network) => of(network).nodes.isStrained(),
    finalMs: async (network) => of(network).reviewer.finalMs(),
    review: async (network, settled) => of(network).reviewer.review(settled),
  }
}
