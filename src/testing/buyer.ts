import { wrapFetchWithPayment } from '@x402/fetch'
import { openSandboxWallet, type SandboxWallet } from '../cli/buying/sandbox-wallet.ts'
import type { World } from './world.ts'

/** A stock x402 client with throw-away money of the sandbox, and every payment header it sent. */
export type Buyer = SandboxWallet & { fetch: typeof fetch; sent: string[] }

export async function createBuyer(world: World, network: 'base' | 'solana' = 'base'): Promise<Buyer> {
  const opened = await openSandboxWallet(world.url, network)
  const sent: string[] = []
  const watching: typeof fetch = (input, init) => {
    const header = new Request(input, init).headers.get('payment-signature')
    if (header) sent.push(header)
    return fetch(input, init)
  }
  return { ...opened, sent, fetch: wrapFetchWithPayment(watching, opened.wallet) }
}
