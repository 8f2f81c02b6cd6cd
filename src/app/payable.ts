import type { Clock } from '../core/time/clock.ts'
import { EVM_NETWORK, SVM_NETWORK } from '../payments/challenge/terms.ts'
import { createEvmToken } from '../payments/payable/evm-token.ts'
import { createPayable, type Payable } from '../payments/payable/payable.ts'
import { createSvmToken } from '../payments/payable/svm-token.ts'
import type { Token } from '../payments/payable/token.ts'
import type { Chains } from './chains.ts'
import type { PaymentRails } from './payment-rails.ts'

type Input = { clock: Clock; payTo: PaymentRails['payTo']; chains: Pick<Chains, 'base' | 'solana'> }

/** USDC on every network that has an address of ours and a node. */
export function openPayable({ clock, payTo, chains: { base, solana } }: Input): Payable {
  const tokens = new Map<string, Token>()
  if (payTo.evm !== undefined && base.all.length > 0)
    tokens.set(EVM_NETWORK, createEvmToken({ rpc: base.rpc, payTo: payTo.evm }))
  if (payTo.svm !== undefined && solana.all.length > 0)
    tokens.set(SVM_NETWORK, createSvmToken({ rpc: solana.rpc, payTo: payTo.svm }))
  return createPayable({ clock, tokens })
}
