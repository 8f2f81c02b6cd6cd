import { randomBytes } from 'node:crypto'
import { base58 } from '@scure/base'
import { privateKeyToAddress } from 'viem/accounts'
import { usd } from '../core/money.ts'
import { ServiceError } from '../core/service-error.ts'
import type { EvmChain } from './chains/evm/chain.ts'
import { EVM_CONTRACTS } from './chains/evm/contracts.ts'
import type { SvmChain } from './chains/svm/chain.ts'
import { SVM_USDC } from './chains/svm/usdc-account.ts'
import { toSvmAddress } from './keys.ts'

/** A buyer's funded keys, as the sandbox hands them out. `usdc` and `project_token` are addresses of tokens. */
export type SandboxWallet = {
  evm?: {
    private_key: `0x${string}`
    address: string
    rpc_url: string
    usdc: string
    project_token: string
    project_tokens: number
  }
  solana?: { secret_key: string; address: string; rpc_url: string; usdc: string }
}

export type Wallets = {
  /** New keys, funded on every chain that answers. Throws where none does. */
  fresh(): Promise<SandboxWallet>
}

export type WalletsInput = {
  evm: EvmChain | undefined
  svm: SvmChain | undefined
  random?: (bytes: number) => Uint8Array
}

const FUNDS = usd('10')
/** The threshold of the highest tier, so that sign-in shows all of its rights. */
const PROJECT_TOKENS = 100n
/** Gas for plain transfers; x402 payments need none. */
const GAS_WEI = 10n ** 18n
const KEY_BYTES = 32

export function createWallets({ evm, svm, random = randomBytes }: WalletsInput): Wallets {
  return {
    async fresh() {
      const [onEvm, onSolana] = await Promise.allSettled([
        evm && fundEvm(evm, random(KEY_BYTES)),
        svm && fundSolana(svm, random(KEY_BYTES)),
      ])
      const wallet = {
        ...(onEvm.status === 'fulfilled' && onEvm.value && { evm: onEvm.value }),
        ...(onSolana.status === 'fulfilled' && onSolana.value && { solana: onSolana.value }),
      }
      const fault = [onEvm, onSolana].find((each) => each.status === 'rejected')
      if (fault && Object.keys(wallet).length === 0)
        throw new ServiceError('upstream_unavailable', 'no chain of the sandbox answers', {
          hint: 'start the service again: its chains begin anew',
          cause: fault.reason,
        })
      return wallet
    },
  }
}

async function fundEvm(chain: EvmChain, key: Uint8Array) {
  const privateKey = `0x${Buffer.from(key).toString('hex')}` as const
  const address = privateKeyToAddress(privateKey)
  await Promise.all([
    chain.fundUsdc(address, FUNDS),
    chain.fundProjectToken(address, PROJECT_TOKENS),
    chain.fundEth(address, GAS_WEI),
  ])
  return {
    private_key: privateKey,
    address,
    rpc_url: chain.rpcUrl,
    usdc: EVM_CONTRACTS.TestUsdc,
    project_token: EVM_CONTRACTS.ProjectToken,
    project_tokens: Number(PROJECT_TOKENS),
  }
}

/** A Solana secret key is the seed followed by the public key. */
async function fundSolana(chain: SvmChain, seed: Uint8Array) {
  const address = toSvmAddress(base58.encode(seed))
  await chain.fundUsdc(address, FUNDS)
  const secretKey = base58.encode(Buffer.concat([seed, base58.decode(address)]))
  return { secret_key: secretKey, address, rpc_url: chain.rpcUrl, usdc: SVM_USDC as string }
}
