import type { Mode } from '../../config/variables/variable.ts'
import { createJsonRpc, type JsonRpc } from '../../payments/chain/json-rpc.ts'
import { EVM_NETWORK, SVM_NETWORK } from '../../payments/challenge/terms.ts'
import type { PaymentRails } from '../payment-rails.ts'
import { type Dependency, ShownFault } from './watch.ts'

const EVERY_MS = 15_000
const TIMEOUT_MS = 5_000

/** The chain nodes that decide what was paid, by the name of their chain. */
export function nodeDependencies(rpc: PaymentRails['rpc'], mode: Mode): Dependency[] {
  const nodeOf = (name: string, rpcUrl: string, probe: (node: JsonRpc) => Promise<void>): Dependency => {
    const node = createJsonRpc({ rpcUrl, timeoutMs: TIMEOUT_MS })
    const where = { host: new URL(rpcUrl).host }
    return { name, where, trouble: 'does not answer', everyMs: EVERY_MS, probe: () => probe(node) }
  }
  return [
    ...(rpc.evm ? [nodeOf('base', rpc.evm, probeEvm)] : []),
    // A local Solana has a genesis of its own, and what is signed for it is good there only.
    ...(rpc.svm ? [nodeOf('solana', rpc.svm, mode === 'live' ? probeMainnet : probeSvm)] : []),
  ]
}

export async function probeEvm(node: JsonRpc): Promise<void> {
  const chainId = Number(await node.call('eth_chainId', []))
  if (`eip155:${chainId}` !== EVM_NETWORK)
    throw new ShownFault(`is of chain ${chainId}, not ${EVM_NETWORK.replace('eip155:', '')}`)
}

/** A local one; its genesis is its own. */
export async function probeSvm(node: JsonRpc): Promise<void> {
  await node.call('getHealth', [])
}

export async function probeMainnet(node: JsonRpc): Promise<void> {
  await probeSvm(node)
  const genesis = String(await node.call('getGenesisHash', []))
  if (!`solana:${genesis}`.startsWith(SVM_NETWORK)) throw new ShownFault('is not of the Solana main network')
}
