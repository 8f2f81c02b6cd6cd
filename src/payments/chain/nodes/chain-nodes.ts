import { describeError } from '../../../core/describe-error.ts'
import type { Clock } from '../../../core/time/clock.ts'
import { callTogether, createJsonRpc, type JsonRpc, JsonRpcRefusal } from '../json-rpc.ts'
import { type ChainNode, createChainNode } from './chain-node.ts'
import type { NodeKind } from './node-kind.ts'

/** The nodes of one chain, in order of preference. */
export type ChainNodes = {
  name: string
  all: readonly ChainNode[]
  /** Whose word counts where it takes several: all of them, without those that have been in trouble for a day. */
  present(): readonly ChainNode[]
  /** Throws unless a node can be asked. One that has not answered within `ms` is asked, before any money moves. */
  ready(ms: number): Promise<void>
  /** Whether there are some and none of them is at ease. */
  isStrained(): boolean
  /** Whether there are some and all of them are in trouble: nothing can be sold here until a probe ends that. */
  isLost(): boolean
  /** `ask` of one node; where that fails, of the next. */
  first<T>(ask: (node: ChainNode) => Promise<T>): Promise<T>
  /** For single reads, each of whichever node answers. */
  rpc: JsonRpc
}
type Input = {
  clock: Clock
  name: string
  urls: readonly string[]
  timeoutMs: number
  kind: NodeKind
  /** Sees every request to a node, by the node's place in the list. */
  watch?: ((rpc: JsonRpc, node: number) => JsonRpc) | undefined
}

export function createChainNodes({ clock, name, urls, timeoutMs, kind, watch }: Input): ChainNodes {
  const all = urls.map((rpcUrl, at) => {
    const rpc = createJsonRpc({ rpcUrl, timeoutMs })
    return createChainNode({ clock, kind, host: new URL(rpcUrl).host, rpc: watch?.(rpc, at) ?? rpc })
  })
  return joinNodes(name, all)
}

export function joinNodes(name: string, all: readonly ChainNode[]): ChainNodes {
  const first: ChainNodes['first'] = async (ask) => {
    const errors: unknown[] = []
    for (const node of bestFirst(all)) {
      try {
        return await ask(node)
      } catch (error) {
        // The same on every node.
        if (error instanceof JsonRpcRefusal && error.isContractFailure) throw error
        errors.push(error)
      }
    }
    throw errors.length === 1 ? errors[0] : new Error(describeAll(name, errors), { cause: errors[0] })
  }
  return {
    name,
    all,
    first,
    present() {
      const left = all.filter((node) => !node.isGone())
      return left.length > 0 ? left : all
    },
    isStrained: () => all.length > 0 && all.every((node) => node.isStrained()),
    isLost: () => all.length > 0 && all.every((node) => node.isInTrouble()),
    async ready(ms) {
      if (all.some((node) => node.answeredWithin(ms))) return
      const errors: unknown[] = []
      for (const node of all.filter((each) => !each.isInTrouble())) {
        try {
          return await node.probe()
        } catch (error) {
          errors.push(error)
        }
      }
      // Beside this request, which does not wait for a node that failed just now.
      for (const node of all) if (!node.isPausing()) void node.probe().catch(() => {})
      throw new Error(describeAll(name, errors))
    },
    rpc: {
      call: (...asked) => first(({ rpc }) => rpc.call(...asked)),
      batch: (...asked) => first(({ rpc }) => callTogether(rpc, ...asked)),
    },
  }
}

const bestFirst = (nodes: readonly ChainNode[]) => [
  ...nodes.filter((node) => !node.isInTrouble()),
  ...nodes.filter((node) => node.isInTrouble()),
]

const describeAll = (name: string, errors: readonly unknown[]) =>
  errors.length === 0
    ? `no node of ${name} is well`
    : `no node of ${name} answers: ${errors.map(describeError).join('; ')}`
