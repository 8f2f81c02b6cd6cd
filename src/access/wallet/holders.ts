import type { Holders } from '../../payments/gate/gate.ts'
import type { CallCounts } from '../call-counts.ts'
import type { Tokens } from './tokens.ts'

/** Keys of the counts of wallets among those of clients; no address of a client looks like it. */
const keyOf = (wallet: string) => `holder ${wallet}`

/** Calls that a wallet may make without paying, by its tier. The count belongs to the wallet, not to one of its tokens. */
export function createHolders({ tokens, counts }: { tokens: Tokens; counts: CallCounts }): Holders {
  return {
    async identify(token) {
      const { wallet, tier } = await tokens.check(token)
      const limit = tier.callsPerDay
      return {
        wallet,
        limit,
        take() {
          const call = counts.take([[keyOf(wallet), limit]])
          return call && { ...call, remaining: Math.max(0, limit - counts.used(keyOf(wallet))) }
        },
      }
    },
  }
}
