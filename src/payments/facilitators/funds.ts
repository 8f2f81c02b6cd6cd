import { encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { createFairQueue } from '../../core/fair-queue.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { JsonRpc } from '../chain/json-rpc.ts'
import type { Payment } from '../gate/payment.ts'
import type { HasFunds } from './verify.ts'

/** One small call to our own node for each. Who finds the line full, or waits too long, is not known to be empty. */
export const PAYER_LOOKS = { places: 16, placesPerKey: 2, line: 256, linePerKey: 8, waitMs: 2_000 }
const AMOUNT = /^0x[0-9a-f]{1,64}$/i

/**
 * Asks the chain whether a payer has the amount, on EVM chains only: a Solana transaction may spend any account of its
 * payer, and only one facilitator can settle it anyway.
 */
export function createHasFunds({ clock, rpc }: { clock: Clock; rpc: JsonRpc }): HasFunds {
  const queue = createFairQueue({
    ...PAYER_LOOKS,
    clock,
    refuse: () => new Error('too many balances are asked for'),
  })
  return async (payment) => {
    const { network, payer, requirement } = payment
    if (!network.startsWith('eip155:')) return undefined
    try {
      const balance = await queue.run(payer, () => rpc.call('eth_call', [balanceCall(payment), 'latest']))
      return AMOUNT.test(String(balance)) ? BigInt(String(balance)) >= BigInt(requirement.amount) : undefined
    } catch {
      return undefined
    }
  }
}

function balanceCall({ payer, requirement }: Payment): { to: string; data: Hex } {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [payer as Hex] })
  return { to: requirement.asset, data }
}
