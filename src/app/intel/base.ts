import type { Config } from '../../config/config.ts'
import type { Clock } from '../../core/time/clock.ts'
import { createJsonRpc } from '../../payments/chain/json-rpc.ts'
import { type BaseChain, createBaseChain } from '../../upstreams/base-chain/base-chain.ts'
import type { ChainNode } from '../../upstreams/base-chain/paced-node.ts'
import { type Blockscout, createBlockscout } from '../../upstreams/blockscout/client.ts'
import { createScoutHistory, type ScoutHistory } from '../../upstreams/blockscout/history.ts'
import { UpstreamError } from '../../upstreams/upstream.ts'
import type { OutsideWorld } from '../outside-world.ts'
import { traceRpc } from '../traces/trace-rpc.ts'
import type { Hosts } from '../upstream-hosts.ts'

export type OpenBase = {
  base: BaseChain
  /** False: what only a node tells is missing. */
  hasNode: boolean
  blockscout: Blockscout
  history: ScoutHistory
  close(): void
}

type Ports = {
  config: Pick<Config, 'mode' | 'keys' | 'intelRpcUrl'> & { traces?: Config['traces'] }
  world: Pick<OutsideWorld, 'upstreams' | 'money'>
  hosts: Pick<Hosts, 'open'>
  clock: Clock
}

const TIMEOUT_MS = 5_000

/** The chain that tokens and wallets are on: a node of it, and an explorer. */
export function openBase({ config, world, hosts, clock }: Ports): OpenBase {
  const rpcUrl = findNodeUrl(config, world.money)
  const node = rpcUrl === undefined ? NO_NODE : openNode(rpcUrl, config.traces !== undefined)
  const base = createBaseChain({ node, clock, random: Math.random })
  const key = config.keys.blockscout?.reveal()
  const explorer = hosts.open(
    'blockscout',
    world.upstreams.BLOCKSCOUT,
    key === undefined ? undefined : { authorization: `Bearer ${key}` },
  )
  return {
    base,
    hasNode: rpcUrl !== undefined,
    blockscout: createBlockscout(explorer),
    history: createScoutHistory(explorer),
    close: base.close,
  }
}

function openNode(rpcUrl: string, isTraced: boolean): ChainNode {
  const rpc = createJsonRpc({ rpcUrl, timeoutMs: TIMEOUT_MS })
  return isTraced ? traceRpc(rpc, 'base', 0) : rpc
}

/** In paper mode payments run on a chain of our own: it knows nothing of the tokens that are real there. */
function findNodeUrl(
  { mode, intelRpcUrl }: Ports['config'],
  money: Ports['world']['money'],
): string | undefined {
  const [preferred] = money.rpc.evm
  if (mode === 'sandbox') return preferred
  return intelRpcUrl ?? (mode === 'live' ? preferred : undefined)
}

const NO_NODE: ChainNode = {
  call: async () => {
    throw new UpstreamError('busy', 'no node of this chain is configured')
  },
}
