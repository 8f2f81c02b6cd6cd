/** Middle and extremes of one figure over all rounds. */
export type Spread = { median: number; min: number; max: number }

/** Undefined when nothing was measured. */
export function findSpread(values: readonly (number | undefined)[]): Spread | undefined {
  const sorted = values.filter((value) => value !== undefined).sort((a, b) => a - b)
  const [min] = sorted
  const max = sorted.at(-1)
  if (min === undefined || max === undefined) return undefined
  const upper = sorted[sorted.length >> 1] as number
  const lower = sorted[(sorted.length - 1) >> 1] as number
  return { median: (lower + upper) / 2, min, max }
}
