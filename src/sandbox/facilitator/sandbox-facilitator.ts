import type { FacilitatorClient } from '@x402/core/server'
import { EVM_NETWORK, SVM_NETWORK } from '../../payments/challenge/terms.ts'
import type { EvmChain } from '../chains/evm/chain.ts'
import { EVM_CONTRACTS } from '../chains/evm/contracts.ts'
import type { SvmChain } from '../chains/svm/chain.ts'
import type { FacilitatorKeys } from '../keys.ts'
import { createEvmSender } from './evm-sender.ts'
import { createSvmSender } from './svm-sender.ts'

export type SandboxFacilitatorInput = {
  evm: EvmChain | undefined
  svm: SvmChain | undefined
  keys: FacilitatorKeys
}

/** Gas for millions of settlements; topped up at every start. */
const GAS_WEI = 10n ** 21n
const FEE_LAMPORTS = 10n ** 12n

/** The scheme code of public facilitators, run in this process against the sandbox's chains. */
export async function createSandboxFacilitator(input: SandboxFacilitatorInput): Promise<FacilitatorClient> {
  const { x402Facilitator } = await import('@x402/core/facilitator')
  const facilitator = new x402Facilitator()
  const [evm, svm] = await Promise.all([
    input.evm && createEvmScheme(input.evm, input.keys),
    input.svm && createSvmScheme(input.svm, input.keys),
  ])
  if (evm) facilitator.register(EVM_NETWORK, evm)
  if (svm) facilitator.register(SVM_NETWORK, svm)
  return {
    verify: (payload, requirements) => facilitator.verify(payload, requirements),
    settle: (payload, requirements) => facilitator.settle(payload, requirements),
    getSupported: async () =>
      facilitator.getSupported() as Awaited<ReturnType<FacilitatorClient['getSupported']>>,
  }
}

async function createEvmScheme(chain: EvmChain, { evm: key }: FacilitatorKeys) {
  const [sender, { ExactEvmScheme }] = await Promise.all([
    createEvmSender({ rpcUrl: chain.rpcUrl, key }),
    import('@x402/evm/exact/facilitator'),
  ])
  await Promise.all(sender.getAddresses().map((address) => chain.fundEth(address, GAS_WEI)))
  return new ExactEvmScheme(sender, { eip6492AllowedFactories: [EVM_CONTRACTS.SmartWalletFactory] })
}

async function createSvmScheme(chain: SvmChain, { svm: key }: FacilitatorKeys) {
  const [sender, { ExactSvmScheme }] = await Promise.all([
    createSvmSender({ rpcUrl: chain.rpcUrl, key }),
    import('@x402/svm/exact/facilitator'),
  ])
  for (const address of sender.getAddresses()) chain.fundSol(address, FEE_LAMPORTS)
  return new ExactSvmScheme(sender)
}
