import type { RandomStream } from '../../../core/math/random.ts'

/** A value that wanders slowly around 0 with a standard deviation near 1; the same at the same time, always. */
export function driftAt(stream: RandomStream, periodMs: number, atMs: number, channel = 0): number {
  const place = atMs / periodMs
  const from = Math.floor(place)
  const share = place - from
  const base = channel * CHANNEL + from
  const blend = stream.normal(base) * (1 - share) + stream.normal(base + 1) * share
  // Half way between two draws the blend is calmer than a draw.
  return blend / Math.sqrt(share ** 2 + (1 - share) ** 2)
}

/** Channels of one stream do not meet within any time that is simulated. */
const CHANNEL = 2 ** 40
