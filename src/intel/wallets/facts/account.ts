import type { WalletPorts } from './wallet-ports.ts'

/** An address as the node knows it. */
export type NodeAccount = {
  kind: 'account' | 'contract' | 'delegated_account'
  delegate: string | undefined
  wei: bigint
  /** Transactions that it has sent. */
  nonce: number
}

/** How the code of an account begins that lets a contract act for it (EIP-7702); the contract's address follows. */
const DELEGATION = /^0xef0100([0-9a-f]{40})$/i

export async function readAccount(
  { chain }: Pick<WalletPorts, 'chain'>,
  wallet: string,
): Promise<NodeAccount> {
  const [code, wei, nonce] = await Promise.all([
    chain.codeOf(wallet),
    chain.ether(wallet),
    chain.nonce(wallet),
  ])
  return { ...kindOf(code), wei, nonce }
}

export function kindOf(code: string): Pick<NodeAccount, 'kind' | 'delegate'> {
  const delegate = DELEGATION.exec(code)?.[1]?.toLowerCase()
  if (delegate !== undefined) return { kind: 'delegated_account', delegate: `0x${delegate}` }
  return { kind: code === '0x' ? 'account' : 'contract', delegate: undefined }
}
