import { isUsed } from '../chain/evm/chain.ts'
import { expectedOf } from '../chain/evm/logs.ts'
import type { JsonRpc } from '../chain/json-rpc.ts'
import type { IsUsed } from './verify.ts'

/** By the token's own list, on EVM chains only: Solana keeps none, and there a message that landed cannot land again. */
export function createIsUsed({ rpc }: { rpc: JsonRpc }): IsUsed {
  return async (payment) => {
    if (!payment.network.startsWith('eip155:')) return undefined
    return isUsed(rpc, expectedOf(payment), 'latest').catch(() => undefined)
  }
}
