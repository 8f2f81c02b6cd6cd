import { base58 } from '@scure/base'
import { createKeyPairSignerFromBytes } from '@solana/kit'
import { x402Client } from '@x402/core/client'
import type { FacilitatorClient } from '@x402/core/server'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { ExactSvmScheme } from '@x402/svm/exact/client'
import {
  createPublicClient,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  http,
  serializeErc6492Signature,
  zeroHash,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { EVM_NETWORK, SVM_NETWORK } from '../../payments/challenge/terms.ts'
import { type Address, abiOf, EVM_CONTRACTS } from '../../sandbox/chains/evm/contracts.ts'
import { SVM_USDC } from '../../sandbox/chains/svm/usdc-account.ts'
import type { SandboxAddresses } from '../../sandbox/keys.ts'

export type Payment = Parameters<FacilitatorClient['settle']>
type Requirement = Payment[1]
/** Signs one payment as a stock client would. */
export type Payer = { address: string; pay(requirement: Requirement): Promise<Payment> }

type EvmSigner = ConstructorParameters<typeof ExactEvmScheme>[0]

const MAX_TIMEOUT_S = 300
const factory = { address: EVM_CONTRACTS.SmartWalletFactory, abi: abiOf('SmartWalletFactory') } as const

/** What 0.012 dollars are asked with, on both chains. */
export function requirementsOf({ evm, svm }: SandboxAddresses): { evm: Requirement; svm: Requirement } {
  const common = { scheme: 'exact', amount: '12000', maxTimeoutSeconds: MAX_TIMEOUT_S }
  const usdc = { evm: EVM_CONTRACTS.TestUsdc, svm: SVM_USDC }
  const domain = { name: 'USD Coin', version: '2' }
  return {
    evm: { ...common, network: EVM_NETWORK, asset: usdc.evm, payTo: evm, extra: domain },
    svm: {
      ...common,
      network: SVM_NETWORK,
      asset: usdc.svm,
      payTo: svm.address,
      extra: { feePayer: svm.feePayer },
    },
  }
}

export function keyPayer(key: Hex = generatePrivateKey()): Payer {
  return evmPayer(privateKeyToAccount(key))
}

/** A wallet that is a contract, whose owner signs for it. */
export async function walletPayer(
  rpcUrl: string,
  kind: 'deployed' | 'counterfactual',
  via: Address = factory.address,
) {
  const owner = privateKeyToAccount(generatePrivateKey())
  const chain = createPublicClient({ transport: http(rpcUrl) })
  const args = [owner.address, zeroHash]
  const address = (await chain.readContract({ ...factory, functionName: 'addressOf', args })) as Address
  const creation = encodeFunctionData({ abi: factory.abi, functionName: 'create', args })
  const payer = evmPayer({
    address,
    async signTypedData(typed) {
      const ecdsa = await owner.signTypedData(typed as Parameters<typeof owner.signTypedData>[0])
      const signature = encodeAbiParameters([{ type: 'uint256' }, { type: 'bytes' }], [0n, ecdsa])
      return kind === 'deployed'
        ? signature
        : serializeErc6492Signature({ address: via, data: creation, signature })
    },
  })
  return { ...payer, creation }
}

export async function solanaPayer(secretKey: string, rpcUrl: string): Promise<Payer> {
  const signer = await createKeyPairSignerFromBytes(base58.decode(secretKey))
  const client = new x402Client().register(SVM_NETWORK, new ExactSvmScheme(signer, { rpcUrl }))
  return { address: signer.address, pay: (requirement) => pay(client, requirement) }
}

export function evmPayer(signer: EvmSigner): Payer {
  const client = new x402Client().register(EVM_NETWORK, new ExactEvmScheme(signer))
  return { address: signer.address, pay: (requirement) => pay(client, requirement) }
}

async function pay(client: x402Client, requirement: Requirement): Promise<Payment> {
  const resource = { url: 'http://127.0.0.1/price/BTC' }
  const payload = await client.createPaymentPayload({ x402Version: 2, resource, accepts: [requirement] })
  return [payload, requirement]
}
