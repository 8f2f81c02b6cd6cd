import type { TradeFlow } from './large-trades.ts'

export type Lean = 'buying' | 'selling' | 'balanced'

/** What large trades add up to, and whether that is more than their sides drawn by lot would give. */
export type NetFlow = {
  netUsd: number
  /** From -1, all sold, to 1, all bought; undefined without trades. */
  imbalance: number | undefined
  /** Net over the scatter of the net where every side is drawn by lot; undefined without trades. */
  zScore: number | undefined
  /** Undefined where there are too few trades to say. */
  lean: Lean | undefined
}

/** Two standard deviations: by lot alone about one hour in twenty is called something. */
const LEANING_Z = 2
/** Below four trades no net reaches two deviations, however they fall. */
export const FEWEST_TRADES = 4

type Sums = Pick<TradeFlow, 'buyUsd' | 'sellUsd' | 'trades' | 'squares'>

export function toNetFlow({ buyUsd, sellUsd, trades, squares }: Sums): NetFlow {
  const netUsd = buyUsd - sellUsd
  const totalUsd = buyUsd + sellUsd
  if (trades === 0 || !(totalUsd > 0) || !(squares > 0))
    return { netUsd: 0, imbalance: undefined, zScore: undefined, lean: undefined }
  const zScore = netUsd / Math.sqrt(squares)
  return {
    netUsd,
    imbalance: netUsd / totalUsd,
    zScore,
    lean: trades < FEWEST_TRADES ? undefined : leanOf(zScore),
  }
}

function leanOf(zScore: number): Lean {
  if (zScore >= LEANING_Z) return 'buying'
  return zScore <= -LEANING_Z ? 'selling' : 'balanced'
}
