import { base58 } from '@scure/base'
import { createKeyPairSignerFromBytes } from '@solana/kit'
import { toClientEvmSigner } from '@x402/evm'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { x402Client } from '@x402/fetch'
import { ExactSvmScheme } from '@x402/svm/exact/client'
import { createPublicClient, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { base } from 'viem/chains'
import { z } from 'zod'

const Wallets = z.object({
  evm: z.object({ private_key: z.string(), address: z.string(), rpc_url: z.url() }).optional(),
  solana: z.object({ secret_key: z.string(), address: z.string(), rpc_url: z.url() }).optional(),
})

export type SandboxWallet = { wallet: x402Client; address: string; rpcUrl: string; secret: string }

/** A stock x402 client holding a fresh wallet with play money of the service at `baseUrl`. */
export async function openSandboxWallet(baseUrl: string, network: 'base' | 'solana'): Promise<SandboxWallet> {
  const reply = await fetch(new URL('/sandbox/wallets', baseUrl))
  if (reply.status === 404)
    throw new Error(
      `${baseUrl} takes no play money, so it hands out no wallets: only sandbox and paper mode do`,
    )
  const { evm, solana } = Wallets.parse(await reply.json())
  const wallet = new x402Client()
  if (network === 'solana') {
    if (!solana) throw new Error(`${baseUrl} offers no Solana: try --network base`)
    const signer = await createKeyPairSignerFromBytes(base58.decode(solana.secret_key))
    wallet.register('solana:*', new ExactSvmScheme(signer, { rpcUrl: solana.rpc_url }))
    return { wallet, address: solana.address, rpcUrl: solana.rpc_url, secret: solana.secret_key }
  }
  if (!evm)
    throw new Error(`${baseUrl} offers no Base, because anvil does not run there: try --network solana`)
  const reader = createPublicClient({ chain: base, transport: http(evm.rpc_url) })
  const account = privateKeyToAccount(evm.private_key as `0x${string}`)
  wallet.register('eip155:*', new ExactEvmScheme(toClientEvmSigner(account, reader)))
  return { wallet, address: evm.address, rpcUrl: evm.rpc_url, secret: evm.private_key }
}
