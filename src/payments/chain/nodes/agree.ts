import type { Clock } from '../../../core/time/clock.ts'
import type { ChainOutcome } from '../../gate/ports.ts'
import type { Referee } from '../chain.ts'
import type { JsonRpc } from '../json-rpc.ts'
import type { ChainNode } from './chain-node.ts'
import type { ChainNodes } from './chain-nodes.ts'
import { createSecondLook, type Dead } from './second-look.ts'

/**
 * One referee of several nodes. Paid needs one of them, since a receipt shows it. Dead needs all that answer, and two
 * where there are two: a node that lags, lies or lost its past says "unused" too. Anything else is open. A node that has
 * been gone for a day is not waited for. What nodes only fail to show is dead when they are asked twice.
 */
export function createAgreedReferee(
  clock: Clock,
  nodes: ChainNodes,
  refereeOf: (rpc: JsonRpc) => Referee,
): Referee {
  const secondLook = createSecondLook(clock)
  const referees = new Map(nodes.all.map((node) => [node, refereeOf(node.rpc)]))
  const askOf = async (node: ChainNode, asked: Parameters<Referee['outcome']>) => {
    const referee = referees.get(node)
    if (!referee) throw new Error('a node without a referee')
    return referee.outcome(...asked)
  }
  const ask: Referee['outcome'] = async (...asked) => {
    const { node, outcome } = await nodes.first(async (node) => ({
      node,
      outcome: await askOf(node, asked),
    }))
    const others = nodes.present().filter((each) => each !== node)
    if (outcome.kind !== 'dead' || others.length === 0) return outcome
    const replies = await Promise.allSettled(others.map((other) => askOf(other, asked)))
    return agreed(
      outcome,
      replies.flatMap((reply) => (reply.status === 'fulfilled' ? [reply.value] : [])),
    )
  }
  return { outcome: async (payment, ...asked) => secondLook(payment.key, await ask(payment, ...asked)) }
}

/** What becomes of the first node's "dead". */
function agreed(first: Dead, others: readonly ChainOutcome[]): ChainOutcome {
  const paid = others.find(({ kind }) => kind === 'paid')
  if (paid) return paid
  const dead = others.filter((other) => other.kind === 'dead')
  if (dead.length === 0 || dead.length < others.length) return { kind: 'open' }
  // One that shows another use is enough.
  return [first, ...dead].find(({ isAbsent }) => !isAbsent) ?? first
}
