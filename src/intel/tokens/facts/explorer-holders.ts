import type { Blockscout } from '../../../upstreams/blockscout/client.ts'
import type { ChainHolder, ChainHolders, TokenPorts } from './token-ports.ts'

/** Shares are kept to a billionth. */
const SHARE_DIGITS = 1_000_000_000n

/** Who holds a token, as the explorer counts them: a page of the largest. */
export function createExplorerHolders({
  token,
  holders,
}: Pick<Blockscout, 'token' | 'holders'>): TokenPorts['holders'] {
  return async (address): Promise<ChainHolders | undefined> => {
    const [found, page] = await Promise.all([token(address), holders(address)])
    if (!found) return undefined
    const { totalSupply, holders: count } = found
    if (!totalSupply || !page) return { count, holders: undefined }
    return { count, holders: page.rows.map((row) => toHolder(row, totalSupply)) }
  }
}

/** Nobody holds more than all, whatever the explorer counts. */
function toHolder(
  { address, isContract, amount }: { address: string; isContract: boolean | undefined; amount: bigint },
  totalSupply: bigint,
): ChainHolder {
  const share = Number((amount * SHARE_DIGITS) / totalSupply) / Number(SHARE_DIGITS)
  return { address, share: Math.min(1, share), isContract, isLocked: undefined }
}
