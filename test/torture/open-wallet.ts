import { randomBytes } from 'node:crypto'
import { createKeyPairSignerFromPrivateKeyBytes } from '@solana/kit'
import { toClientEvmSigner } from '@x402/evm'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { x402Client } from '@x402/fetch'
import { ExactSvmScheme } from '@x402/svm/exact/client'
import { createPublicClient, http } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { base } from 'viem/chains'
import { usd } from '../../src/core/money.ts'
import { type Network, type Wallet, walletOf } from '../buying/wallet.ts'
import type { TortureWorld } from './world.ts'

const FUNDS = usd('1000')
const KEY_BYTES = 32

/** A stock x402 client with a key of its own and more money than it can spend. */
export async function openWallet(world: TortureWorld, network: Network): Promise<Wallet> {
  return walletOf(network, await (network === 'solana' ? openSolana(world) : openBase(world)))
}

async function openBase({ evm }: TortureWorld): Promise<x402Client> {
  const account = privateKeyToAccount(generatePrivateKey())
  await evm.fundUsdc(account.address, FUNDS)
  const reader = createPublicClient({ chain: base, transport: http(evm.rpcUrl) })
  return new x402Client().register('eip155:*', new ExactEvmScheme(toClientEvmSigner(account, reader)))
}

async function openSolana({ svm }: TortureWorld): Promise<x402Client> {
  const signer = await createKeyPairSignerFromPrivateKeyBytes(randomBytes(KEY_BYTES))
  await svm.fundUsdc(signer.address, FUNDS)
  return new x402Client().register('solana:*', new ExactSvmScheme(signer, { rpcUrl: svm.rpcUrl }))
}
