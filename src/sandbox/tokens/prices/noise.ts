import type { RandomStream } from '../../../core/math/random.ts'

/**
 * A standard normal at every multiple of `periodMs`, and a straight line in between. Layers of one stream are told apart
 * by `layer`.
 */
export function noiseAt(stream: RandomStream, layer: number, periodMs: number, atMs: number): number {
  const steps = atMs / periodMs
  const step = Math.floor(steps)
  const [from, to] = [normalAt(stream, layer, step), normalAt(stream, layer, step + 1)]
  return from + (to - from) * (steps - step)
}

/** How far the line climbs over the period that `atMs` is in. */
export function slopeAt(stream: RandomStream, layer: number, periodMs: number, atMs: number): number {
  const step = Math.floor(atMs / periodMs)
  return normalAt(stream, layer, step + 1) - normalAt(stream, layer, step)
}

const LAYERS = 64
const normalAt = (stream: RandomStream, layer: number, step: number) => stream.normal(step * LAYERS + layer)
