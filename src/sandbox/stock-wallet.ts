import { base58 } from '@scure/base'
import { createKeyPairSignerFromBytes } from '@solana/kit'
import { toClientEvmSigner } from '@x402/evm'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { x402Client } from '@x402/fetch'
import { ExactSvmScheme } from '@x402/svm/exact/client'
import { createPublicClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

/** Keys as `/sandbox/wallets` hands them out. */
export type EvmKeys = { private_key: string; rpc_url: string }
export type SolanaKeys = { secret_key: string; rpc_url: string }

/** A stock x402 client that pays on the chains it is given keys for. */
export async function openStockWallet(keys: { evm?: EvmKeys; solana?: SolanaKeys }): Promise<x402Client> {
  const wallet = new x402Client()
  if (keys.evm) {
    const reader = createPublicClient({ transport: http(keys.evm.rpc_url) })
    const account = privateKeyToAccount(keys.evm.private_key as `0x${string}`)
    wallet.register('eip155:*', new ExactEvmScheme(toClientEvmSigner(account, reader)))
  }
  if (keys.solana) {
    const signer = await createKeyPairSignerFromBytes(base58.decode(keys.solana.secret_key))
    wallet.register('solana:*', new ExactSvmScheme(signer, { rpcUrl: keys.solana.rpc_url }))
  }
  return wallet
}
