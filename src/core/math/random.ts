import { normalQuantile } from './normal-quantile.ts'

/**
 * Random numbers by position instead of by sequence: the same seed, stream name and position always give the
 * same number, so a result does not depend on how a run is split into chunks.
 */
export type RandomStream = {
  uint32(position: number): number
  /** Above 0 and below 1, so that its logarithm is finite. */
  uniform(position: number): number
  /** A standard normal draw. */
  normal(position: number): number
}

const TWO_32 = 2 ** 32

export function createRandomStream(seed: string, name: string): RandomStream {
  const key0 = hashText(`${seed}/${name}`, 0x811c9dc5)
  const key1 = hashText(`${name}/${seed}`, 0x2545f491)
  const uint32 = (position: number) => {
    const high = Math.floor(position / TWO_32)
    const mixed = mix(position ^ Math.imul(high, 0x9e3779b1) ^ key0)
    return mix(mixed + key1) >>> 0
  }
  const uniform = (position: number) => (uint32(position) + 0.5) / TWO_32
  return {
    uint32,
    uniform,
    normal: (position) => normalQuantile(uniform(position)),
  }
}

/** A cursor over a stream, for code that draws a varying number of values at one position. */
export type Draws = {
  seek(position: number): void
  uniform(): number
  normal(): number
  poisson(mean: number): number
  /** A whole number from 0 to `count` - 1. */
  below(count: number): number
}

const MAX_POISSON = 200

export function createDraws(stream: RandomStream): Draws {
  let cursor = 0
  const uniform = () => stream.uniform(cursor++)
  return {
    seek(position) {
      cursor = position
    },
    uniform,
    normal: () => stream.normal(cursor++),
    poisson(mean) {
      const floor = Math.exp(-mean)
      let count = 0
      for (let product = uniform(); product > floor && count < MAX_POISSON; product *= uniform()) count++
      return count
    },
    below: (count) => Math.floor(uniform() * count),
  }
}

/** FNV-1a, then the mixer below, so that similar names get unrelated keys. */
function hashText(text: string, basis: number): number {
  let hash = basis
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return mix(hash)
}

/** The `lowbias32` integer mixer (C. Wellons, public domain): every input bit reaches every output bit. */
function mix(value: number): number {
  let hash = value | 0
  hash = Math.imul(hash ^ (hash >>> 16), 0x21f0aaad)
  hash = Math.imul(hash ^ (hash >>> 15), 0x735a2d97)
  return hash ^ (hash >>> 15)
}
