/** Losses in a row over a stretch of trades. */
export type LosingRun = {
  trades: number
  /** How many losses it begins and ends with. */
  head: number
  tail: number
  longest: number
}

export const NO_RUN: LosingRun = { trades: 0, head: 0, tail: 0, longest: 0 }
const LOSS: LosingRun = { trades: 1, head: 1, tail: 1, longest: 1 }
const NO_LOSS: LosingRun = { trades: 1, head: 0, tail: 0, longest: 0 }

export const losingRunOf = (profitE6: bigint): LosingRun => (profitE6 > 0n ? NO_LOSS : LOSS)

/** Of an earlier and the next stretch together: a run may go on from one into the other. */
export function joinLosingRuns(earlier: LosingRun, later: LosingRun): LosingRun {
  const across = earlier.tail + later.head
  return {
    trades: earlier.trades + later.trades,
    head: earlier.head === earlier.trades ? across : earlier.head,
    tail: later.tail === later.trades ? across : later.tail,
    longest: Math.max(earlier.longest, later.longest, across),
  }
}
