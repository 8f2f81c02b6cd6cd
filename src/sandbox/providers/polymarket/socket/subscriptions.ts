import type { Peer } from '../../peers.ts'

/** A connection to the market channel. */
export type Listener = {
  peer: Peer
  /** Asked for `best_bid_ask`, `new_market` and `market_resolved`. */
  isCustom: boolean
  assets: Set<string>
}

/** Which connection listens to which token. A token may be asked for before it is listed. */
export type Subscriptions = {
  add(listener: Listener, tokenId: string): void
  remove(listener: Listener, tokenId: string): void
  has(tokenIds: readonly string[]): boolean
  /** Each listener once, however many of the tokens it asked for. */
  of(tokenIds: readonly string[]): ReadonlySet<Listener>
}

export function createSubscriptions(): Subscriptions {
  const byToken = new Map<string, Set<Listener>>()
  return {
    add(listener, tokenId) {
      const listeners = byToken.get(tokenId) ?? new Set()
      byToken.set(tokenId, listeners.add(listener))
      listener.assets.add(tokenId)
    },
    remove(listener, tokenId) {
      const listeners = byToken.get(tokenId)
      listeners?.delete(listener)
      if (listeners?.size === 0) byToken.delete(tokenId)
      listener.assets.delete(tokenId)
    },
    has: (tokenIds) => tokenIds.some((tokenId) => byToken.has(tokenId)),
    of: (tokenIds) => new Set(tokenIds.flatMap((tokenId) => [...(byToken.get(tokenId) ?? [])])),
  }
}
