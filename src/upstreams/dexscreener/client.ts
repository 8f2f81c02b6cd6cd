import { contractPart, contractParts } from '../rules/path-parts.ts'
import type { Upstream } from '../upstream.ts'
import { type DexPairs, PairsReply } from './wire.ts'

const CHAIN = 'base'
export const MAX_ADDRESSES = 30

/** Pairs of Base, as DexScreener tells of them. Pairs of none of the tokens that were asked for are left out. */
export type DexScreener = {
  /** Pairs of up to 30 tokens. Of a token with many pairs it may leave some out, and where the list is long, whole tokens. */
  tokensV1(addresses: readonly string[]): Promise<DexPairs>
  /** All pairs of a token; none where it is unknown. */
  tokenPairs(address: string): Promise<DexPairs>
}

export function createDexScreener({ ask }: Pick<Upstream, 'ask'>): DexScreener {
  const pairsAt = async (path: string, addresses: readonly string[]): Promise<DexPairs> => {
    const reply = await ask({ path, schema: PairsReply })
    const wanted = new Set(addresses)
    const isWanted = ({ chain, base, quote }: DexPairs['pairs'][number]) =>
      chain === CHAIN && (wanted.has(base.address) || wanted.has(quote.address))
    return { ...reply, pairs: reply.pairs.filter(isWanted) }
  }
  return {
    async tokensV1(addresses) {
      const part = contractParts(addresses, MAX_ADDRESSES)
      return pairsAt(`/tokens/v1/${CHAIN}/${part}`, part.split(','))
    },
    async tokenPairs(address) {
      const part = contractPart(address)
      return pairsAt(`/token-pairs/v1/${CHAIN}/${part}`, [part])
    },
  }
}
