/** DexScreener is believed up to so many times what GeckoTerminal sees. */
const LIQUIDITY_DOUBT = 10

/** Nothing is a figure, too: a pool that was drained a minute ago is so in one of them first. A pool against a token whose worth somebody made up shows in one of them more than in the other. */
export function believedLiquidity(
  told: number | undefined,
  other: number | undefined,
): { usd: number | undefined; isDoubted: boolean } {
  if (told === undefined || other === undefined) return { usd: told ?? other, isDoubted: false }
  const most = LIQUIDITY_DOUBT * other
  return { usd: Math.min(told, most), isDoubted: told > most }
}
