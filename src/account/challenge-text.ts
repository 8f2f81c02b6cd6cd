import { type Address, getAddress } from 'viem'
import { createSiweMessage } from 'viem/siwe'

/** Base. Wallets that are contracts are asked there, and the project token is there. */
export const CHAIN_ID = 8453 as const

/** A text that one wallet may sign once, until it expires. `wallet` in lower case. */
export type ChallengeFacts = { nonce: string; wallet: string; issuedMs: number; expiresMs: number }

/** What a wallet signs (EIP-4361). It names this service and this nonce, so that it is good nowhere else and only once. */
export function challengeText(
  baseUrl: string,
  { nonce, wallet, issuedMs, expiresMs }: ChallengeFacts,
): string {
  return createSiweMessage({
    domain: new URL(baseUrl).host,
    address: getAddress(wallet as Address),
    statement: 'Sign in to Tollbook. This costs nothing and moves no money.',
    uri: baseUrl,
    version: '1',
    chainId: CHAIN_ID,
    nonce,
    issuedAt: new Date(issuedMs),
    expirationTime: new Date(expiresMs),
  })
}
