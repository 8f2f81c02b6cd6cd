import type { Address } from 'viem'
import type { FindChainWallet } from '../../tokens/on-chain/chain-wallets.ts'
import type { TokenWorld } from '../../tokens/token-world.ts'
import type { View } from './rows.ts'

/** What the explorer knows when it is asked about an address: the world, and whoever is on the local chain only. */
export function createViews(tokens: TokenWorld, chain: () => FindChainWallet | undefined) {
  return async (address: string | undefined, nowMs: number): Promise<View> => {
    const view: View = { tokens, people: tokens, nowMs }
    const find = chain()
    if (!find || address === undefined || isKnown(tokens, address)) return view
    const found = await find(address as Address, nowMs)
    if (!found) return view
    const { wallet, transfers } = found
    return {
      ...view,
      people: {
        wallet: (asked) => (asked === address ? wallet : tokens.wallet(asked)),
        transfersOf: (asked, atMs, limit) =>
          asked === address ? transfers.slice(0, limit) : tokens.transfersOf(asked, atMs, limit),
      },
    }
  }
}

const isKnown = (tokens: TokenWorld, address: string): boolean =>
  (tokens.wallet(address) ?? tokens.token(address) ?? tokens.contract(address)) !== undefined
