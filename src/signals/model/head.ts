import { QUIET } from './features.ts'

/**
 * The formula for one minute of the window:
 * `logit P(UP) = slope·z + bend·tanh z + curve·tanh³z + tie·quiet·e^(−z²/2) + weights·features + intercept`.
 * z is the distance from the opening price, in standard deviations of the move still to come. At the window's start
 * there is no distance, and the first four coefficients are 0.
 */
export type Head = {
  slope: number
  bend: number
  curve: number
  tie: number
  weights: number[]
  intercept: number
}

/** Larger distances say nothing more. */
export const Z_MAX = 8

/** The part that changes once a minute. */
export function steadyPart({ weights, intercept }: Head, features: Float64Array): number {
  let logit = intercept
  for (let at = 0; at < features.length; at++) logit += (features[at] ?? 0) * (weights[at] ?? 0)
  return logit
}

/** The part that changes with every price. */
export function movingPart({ slope, bend, curve, tie }: Head, z: number, features: Float64Array): number {
  const bent = Math.tanh(z)
  return slope * z + bend * bent + curve * bent ** 3 + tie * tieInput(z, features)
}

/** A tie resolves UP. It is likelier for a coin with large ticks, and with the price near the opening price. */
export function tieInput(z: number, features: Float64Array): number {
  return (features[QUIET] ?? 0) * Math.exp(-0.5 * z * z)
}

export function clampZ(z: number): number {
  return Math.max(-Z_MAX, Math.min(Z_MAX, z))
}
