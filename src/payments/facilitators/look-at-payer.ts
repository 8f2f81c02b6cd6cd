import { toFunctionSelector } from 'viem'
import { createFairQueue } from '../../core/fair-queue.ts'
import type { Clock } from '../../core/time/clock.ts'
import { toIsUsed, useCall } from '../chain/evm/chain.ts'
import { type Expected, expectedOf } from '../chain/evm/logs.ts'
import type { JsonRpc, RpcCall } from '../chain/json-rpc.ts'
import type { Payment } from '../gate/payment.ts'

/** What our own node shows of a payer and his payment, at one moment; undefined where that is not known. */
export type LookAtPayer = (payment: Payment, withCode?: boolean) => Promise<PayerLook | undefined>
export type PayerLook = {
  hasFunds: boolean
  isUnused: boolean
  /**
   * It decides itself what it has signed, in one way when it is asked and in another when it pays if it likes. Undefined
   * where that was not asked.
   */
  hasCode?: boolean
}

/** One small request to our own node for each. Who finds the line full, or waits too long, is not known to be empty. */
export const PAYER_LOOKS = { places: 16, placesPerKey: 2, line: 256, linePerKey: 8, waitMs: 2_000 }
const BALANCE_OF = toFunctionSelector('balanceOf(address)')
const NO_CODE = '0x'
const AMOUNT = /^0x[0-9a-f]{1,64}$/i

/**
 * Asks the chain whether a payer has the amount, on EVM chains only: a Solana transaction may spend any account of its
 * payer, and only one facilitator can settle it anyway. Whether the authorization was used comes with the same request:
 * a wallet may be empty because it paid this.
 */
export function createLookAtPayer({ clock, rpc }: { clock: Clock; rpc: JsonRpc }): LookAtPayer {
  const queue = createFairQueue({
    ...PAYER_LOOKS,
    clock,
    refuse: () => new Error('too many payers are looked at'),
  })
  return async (payment, withCode = false) => {
    if (!payment.network.startsWith('eip155:')) return undefined
    try {
      const expected = expectedOf(payment)
      const calls = [
        balanceCall(expected),
        useCall(expected, 'latest'),
        ...(withCode ? [codeCall(payment)] : []),
      ]
      const [balance, use, code] = await queue.run(payment.payer, () => rpc.batch(calls))
      if (!AMOUNT.test(String(balance))) return undefined
      const hasFunds = BigInt(String(balance)) >= expected.amount
      return { hasFunds, isUnused: !toIsUsed(use), ...(withCode && { hasCode: code !== NO_CODE }) }
    } catch {
      return undefined
    }
  }
}

const codeCall = ({ payer }: Payment): RpcCall => ['eth_getCode', [payer, 'latest']]
const balanceCall = ({ token, payerTopic }: Expected): RpcCall => [
  'eth_call',
  [{ to: token, data: `${BALANCE_OF}${payerTopic.slice(2)}` }, 'latest'],
]
