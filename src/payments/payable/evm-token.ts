import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import { EVM_USDC } from '../../core/usdc.ts'
import { callTogether, type JsonRpc, type RpcCall } from '../chain/json-rpc.ts'
import type { Token } from './token.ts'

const ABI = parseAbi([
  'function paused() view returns (bool)',
  'function isBlacklisted(address account) view returns (bool)',
])
const TRUE = `0x${'0'.repeat(63)}1`

/** Circle can stop all of USDC, and every single address. Anything but a clear yes is a no: the chain decides later. */
export function createEvmToken({ rpc, payTo }: { rpc: JsonRpc; payTo: string }): Token {
  return {
    async findClosure() {
      const paused = encodeFunctionData({ abi: ABI, functionName: 'paused' })
      const [isPaused, isBlocked] = await callTogether(rpc, [view(paused), view(isBlacklisted(payTo))])
      if (isPaused === TRUE) return 'USDC is paused there'
      return isBlocked === TRUE ? 'the address that is paid is on the blacklist of USDC' : undefined
    },
    async findPayerProblem({ payer }) {
      return (await rpc.call(...view(isBlacklisted(payer)))) === TRUE ? 'payer_blocked' : undefined
    },
  }
}

const isBlacklisted = (account: string): Hex =>
  encodeFunctionData({ abi: ABI, functionName: 'isBlacklisted', args: [account as Hex] })

const view = (data: Hex): RpcCall => ['eth_call', [{ to: EVM_USDC, data }, 'latest']]
