/** Φ(z) to about 1e-12, by its series near 0 and its continued fraction in the tails. */
export function normalCdf(z: number): number {
  const size = Math.abs(z)
  if (size > TAIL_FROM) {
    const tail = upperTail(size)
    return z > 0 ? 1 - tail : tail
  }
  let term = size
  let sum = size
  for (let n = 1; Math.abs(term) > sum * Number.EPSILON && n < TERMS_MAX; n++) {
    term *= (size * size) / (2 * n + 1)
    sum += term
  }
  const half = sum * density(size)
  return z >= 0 ? 0.5 + half : 0.5 - half
}

const TAIL_FROM = 5
const TERMS_MAX = 200
const FRACTION_TERMS = 60

function density(z: number): number {
  return Math.exp(-0.5 * z * z) / Math.sqrt(2 * Math.PI)
}

function upperTail(z: number): number {
  let fraction = z
  for (let n = FRACTION_TERMS; n > 0; n--) fraction = z + n / fraction
  return density(z) / fraction
}
