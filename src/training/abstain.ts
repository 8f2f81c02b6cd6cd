import type { OutOfSample } from './walk-forward.ts'

const BINS = 20
/** Standard errors by which a bin must beat a coin flip. More than two, since windows of one day are correlated. */
const STANDARD_ERRORS = 3
const DIGITS = 1_000

/** The lowest confidence at window start above which every bin (a twentieth of the windows) beat a coin flip. */
export function abstainBelow(results: readonly OutOfSample[]): number {
  const starts = results
    .filter(({ offsetS }) => offsetS === 0)
    .map(({ probabilityUp, isUp }) => ({
      confidence: Math.max(probabilityUp, 1 - probabilityUp),
      isHit: probabilityUp >= 0.5 === isUp,
    }))
    .sort((a, b) => b.confidence - a.confidence)
  const size = Math.floor(starts.length / BINS)
  let lowest = 1
  for (let bin = 0; bin < BINS; bin++) {
    const members = starts.slice(bin * size, (bin + 1) * size)
    const hit = members.filter(({ isHit }) => isHit).length / members.length
    if (!(hit - STANDARD_ERRORS * Math.sqrt(0.25 / members.length) > 0.5)) break
    lowest = members.at(-1)?.confidence ?? lowest
  }
  return Math.ceil(lowest * DIGITS) / DIGITS
}
