/** How far `value` is on the way from `from` to `to`: 0 at or before `from`, 1 at or after `to`. Either may be larger. */
export function linear(value: number, from: number, to: number): number {
  return clamp((value - from) / (to - from))
}

/** The same on a scale of magnitudes: as far from 10 to 100 as from 100 to 1,000. */
export function logarithmic(value: number, from: number, to: number): number {
  return value <= 0 ? 0 : linear(Math.log(value), Math.log(from), Math.log(to))
}

const clamp = (share: number): number => Math.min(1, Math.max(0, share))
