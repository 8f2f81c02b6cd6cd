import type { Config } from '../config/config.ts'
import { isPlayMoney } from '../config/variables/variable.ts'
import { blocksFor } from '../core/confirmations.ts'
import type { Clock } from '../core/time/clock.ts'
import { createChain } from '../payments/chain/chain.ts'
import { createEvmReferee } from '../payments/chain/evm/chain.ts'
import { evmNode } from '../payments/chain/evm/evm-node.ts'
import { createEvmReviewer } from '../payments/chain/evm/review.ts'
import type { JsonRpc } from '../payments/chain/json-rpc.ts'
import { createAgreedReferee } from '../payments/chain/nodes/agree.ts'
import { createAgreedReviewer } from '../payments/chain/nodes/agree-review.ts'
import { type ChainNodes, createChainNodes } from '../payments/chain/nodes/chain-nodes.ts'
import type { NodeKind } from '../payments/chain/nodes/node-kind.ts'
import { createSvmReferee } from '../payments/chain/svm/chain.ts'
import { createSvmReviewer } from '../payments/chain/svm/review.ts'
import { svmNode } from '../payments/chain/svm/svm-node.ts'
import type { FinalChain } from '../payments/finality/ports.ts'
import type { Chain } from '../payments/gate/ports.ts'
import type { PaymentRails } from './payment-rails.ts'
import { traceRpc } from './traces/trace-rpc.ts'

export type Chains = {
  referee: Chain & FinalChain
  /** With no node where the network is not offered: asking them fails. */
  base: ChainNodes
  solana: ChainNodes
}
type Input = {
  clock: Clock
  config: {
    mode: Config['mode']
    chains: Pick<Config['chains'], 'evmConfirmations' | 'svmFinalizedFrom'>
    traces?: Config['traces']
  }
  rpc: PaymentRails['rpc']
}

const TIMEOUT_MS = 5_000

/** The nodes of both chains, and the referee who asks them. */
export function openChains({ clock, config, rpc }: Input): Chains {
  const isLocal = isPlayMoney(config.mode)
  const { evmConfirmations, svmFinalizedFrom: finalizedFrom } = config.chains
  const open = (name: string, urls: readonly string[], kind: NodeKind) => {
    const watch = config.traces && ((node: JsonRpc, at: number) => traceRpc(node, name, at))
    return createChainNodes({ clock, timeoutMs: TIMEOUT_MS, name, urls, kind, watch })
  }
  const base = open('base', rpc.evm, evmNode({ isLocal }))
  const solana = open('solana', rpc.svm, svmNode({ isLocal }))
  const confirmations = (amount: bigint) => blocksFor(evmConfirmations, amount)
  const referee = createChain({
    evm: {
      nodes: base,
      referee: createAgreedReferee(clock, base, (node) => createEvmReferee({ rpc: node, confirmations })),
      reviewer: createAgreedReviewer(clock, base, (node) => createEvmReviewer({ rpc: node })),
    },
    svm: {
      nodes: solana,
      referee: createAgreedReferee(clock, solana, (node) => createSvmReferee({ rpc: node, finalizedFrom })),
      reviewer: createAgreedReviewer(clock, solana, (node) => createSvmReviewer({ rpc: node })),
    },
  })
  return { referee, base, solana }
}
