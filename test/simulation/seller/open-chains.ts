import type { Clock } from '../../../src/core/time/clock.ts'
import type { JsonRpc } from '../../../src/payments/chain/json-rpc.ts'
import type { NodeKind } from '../../../src/payments/chain/nodes/node-kind.ts'
import type { FinalChain, Review, Reviewer, Settled } from '../../../src/payments/finality/ports.ts'
import type { Payment } from '../../../src/payments/gate/payment.ts'
import type { Chain, ChainOutcome } from '../../../src/payments/gate/ports.ts'
import type { SimulatedNodes } from '../chain/nodes.ts'
import type { SimulatedChain } from '../chain/simulated-chain.ts'
import type { SimulatedNode } from '../chain/simulated-node.ts'
import { SVM_FINAL_MS, SVM_OUTCOME, SVM_REVIEW } from '../chain/svm-answers.ts'
import type { GateCode } from '../gate-code.ts'
import type { SignedBook } from '../people/authorization.ts'

type Input = {
  code: GateCode
  clock: Clock
  nodes: SimulatedNodes
  chain: SimulatedChain
  signed: SignedBook
  isAlive: () => boolean
}

/** As the service opens them: the real breaker of each node, failover, agreement, and the real referee and reviewer on EVM. */
export function openChains({ code, clock, nodes, chain, signed, isAlive }: Input): {
  referee: Chain & FinalChain
  rpc: JsonRpc
} {
  const join = (name: string, all: readonly SimulatedNode[], kind: NodeKind) =>
    code.joinNodes(
      name,
      all.map(({ rpcFor }, index) =>
        code.createChainNode({ clock, kind, host: `${name}${index}`, rpc: rpcFor(isAlive) }),
      ),
    )
  const base = join('base', nodes.evm, code.evmNode({ isLocal: false }))
  const solana = join('solana', nodes.svm, code.svmNode({ isLocal: false }))
  const confirmations = (amount: bigint) => chain.confirmations(Number(amount))
  const ofSolana = (rpc: JsonRpc) => ({
    outcome: async (payment: Payment, hint: string | undefined) =>
      (await rpc.call(SVM_OUTCOME, [signed.ofPayload(payment.payload), hint])) as ChainOutcome,
  })
  const reviewerOfSolana = (rpc: JsonRpc): Reviewer => ({
    finalMs: async () => (await rpc.call(SVM_FINAL_MS, [])) as number,
    review: async (settled) => (await rpc.batch(settled.map(toReview))) as Review[],
  })
  const toReview = ({ payment, settledAtMs }: Settled) =>
    [SVM_REVIEW, [signed.ofPayload(payment.payload), settledAtMs]] as const
  const referee = code.createChain({
    evm: {
      nodes: base,
      referee: code.createAgreedReferee(clock, base, (rpc) => code.createEvmReferee({ rpc, confirmations })),
      reviewer: code.createAgreedReviewer(clock, base, (rpc) => code.createEvmReviewer({ rpc })),
    },
    svm: {
      nodes: solana,
      referee: code.createAgreedReferee(clock, solana, ofSolana),
      reviewer: code.createAgreedReviewer(clock, solana, reviewerOfSolana),
    },
  })
  return { referee, rpc: base.rpc }
}
