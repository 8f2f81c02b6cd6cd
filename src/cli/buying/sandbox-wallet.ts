import type { x402Client } from '@x402/fetch'
import { z } from 'zod'
import { openStockWallet } from '../../sandbox/stock-wallet.ts'

const Wallets = z.object({
  evm: z.object({ private_key: z.string(), address: z.string(), rpc_url: z.url() }).optional(),
  solana: z.object({ secret_key: z.string(), address: z.string(), rpc_url: z.url() }).optional(),
})

const Problem = z.object({ detail: z.string(), hint: z.string().optional() })

export type Network = 'base' | 'solana'
export type SandboxWallet = {
  network: Network
  wallet: x402Client
  address: string
  rpcUrl: string
  secret: string
}

/**
 * A stock x402 client holding a fresh wallet with play money of the service at `baseUrl`, on Base where nobody cares and
 * its chain runs.
 */
export async function openSandboxWallet(
  baseUrl: string,
  wanted: Network | undefined,
): Promise<SandboxWallet> {
  const reply = await fetch(new URL('/sandbox/wallets', baseUrl))
  if (reply.status === 404)
    throw new Error(
      `${baseUrl} hands out no wallets with play money: it takes real money, or its chains are those of TOLLBOOK_EVM_RPC_URL or TOLLBOOK_SVM_RPC_URL`,
    )
  if (!reply.ok) throw new Error(`${baseUrl} handed out no wallets: ${await reasonOf(reply)}`)
  const { evm, solana } = Wallets.parse(await reply.json())
  const network = wanted ?? (evm ? 'base' : 'solana')
  if (network === 'solana') {
    if (!solana) throw new Error(`${baseUrl} offers no Solana: try --network base`)
    const wallet = await openStockWallet({ solana })
    return { network, wallet, address: solana.address, rpcUrl: solana.rpc_url, secret: solana.secret_key }
  }
  if (!evm)
    throw new Error(
      `${baseUrl} hands out no wallet on Base, because its chain does not answer: try --network solana`,
    )
  const wallet = await openStockWallet({ evm })
  return { network, wallet, address: evm.address, rpcUrl: evm.rpc_url, secret: evm.private_key }
}

async function reasonOf(reply: Response): Promise<string> {
  const { detail, hint } = Problem.catch({ detail: 'it does not say why' }).parse(
    await reply.json().catch(() => undefined),
  )
  return `${reply.status}: ${detail}${hint ? `; ${hint}` : ''}`
}
