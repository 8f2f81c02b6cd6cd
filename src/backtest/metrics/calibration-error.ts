const BINS = 10

export type CalibrationError = {
  ece: number
  /** The average error of a perfectly calibrated forecast over this many windows, by chance alone. */
  noiseFloor: number
}

/** Mean gap between stated probability and outcome over ten bins of equal size. */
export function calibrationErrorOf(probabilities: Float64Array, outcomes: Uint8Array): CalibrationError {
  const bins = reliabilityOf(probabilities, outcomes)
  const count = probabilities.length
  let ece = 0
  let noiseFloor = 0
  for (const { count: size, stated, seen } of bins) {
    ece += (size / count) * Math.abs(stated - seen)
    noiseFloor += (size / count) * Math.sqrt((2 / Math.PI) * ((stated * (1 - stated)) / size))
  }
  return { ece, noiseFloor }
}

export type ReliabilityBin = { count: number; stated: number; seen: number }

/** Bins of equal size, lowest probability first; none is empty. */
export function reliabilityOf(probabilities: Float64Array, outcomes: Uint8Array): ReliabilityBin[] {
  const order = new Uint32Array(probabilities.length).map((_, index) => index)
  order.sort((a, b) => (probabilities[a] ?? 0) - (probabilities[b] ?? 0) || a - b)
  const bins: ReliabilityBin[] = []
  for (let bin = 0; bin < BINS; bin++) {
    const from = Math.floor((bin * order.length) / BINS)
    const to = Math.floor(((bin + 1) * order.length) / BINS)
    if (to === from) continue
    let stated = 0
    let seen = 0
    for (let at = from; at < to; at++) {
      const index = order[at] ?? 0
      stated += probabilities[index] ?? 0
      seen += outcomes[index] ?? 0
    }
    bins.push({ count: to - from, stated: stated / (to - from), seen: seen / (to - from) })
  }
  return bins
}
