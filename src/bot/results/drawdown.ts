/** How far the running profit fell below what it had been, over a stretch of trades; it starts at 0 before the first. */
export type Drawdown = {
  sumE6: bigint
  /** Highest and lowest running profit, the 0 before the first trade included. */
  highE6: bigint
  lowE6: bigint
  /** The deepest fall from a high to a later low. */
  deepestE6: bigint
}

export const NO_DRAWDOWN: Drawdown = { sumE6: 0n, highE6: 0n, lowE6: 0n, deepestE6: 0n }

export function drawdownOf(profitE6: bigint): Drawdown {
  const isLoss = profitE6 < 0n
  return {
    sumE6: profitE6,
    highE6: isLoss ? 0n : profitE6,
    lowE6: isLoss ? profitE6 : 0n,
    deepestE6: isLoss ? -profitE6 : 0n,
  }
}

/** Of an earlier and the next stretch together: the deepest fall may begin in one and end in the other. */
export function joinDrawdowns(earlier: Drawdown, later: Drawdown): Drawdown {
  const laterLowE6 = earlier.sumE6 + later.lowE6
  const acrossE6 = earlier.highE6 - laterLowE6
  return {
    sumE6: earlier.sumE6 + later.sumE6,
    highE6: max(earlier.highE6, earlier.sumE6 + later.highE6),
    lowE6: min(earlier.lowE6, laterLowE6),
    deepestE6: max(acrossE6, max(earlier.deepestE6, later.deepestE6)),
  }
}

const max = (a: bigint, b: bigint) => (a > b ? a : b)
const min = (a: bigint, b: bigint) => (a < b ? a : b)
