import { createRandomStream, type RandomStream } from '../../../core/math/random.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../core/time/time.ts'
import { noiseAt, slopeAt } from './noise.ts'

/** The course of a token that no exchange lists: log price without a level, activity and mood at any moment. */
export type PricePath = {
  logPrice(atMs: number): number
  /** 1 on average; prices move more and more is traded when it is high. */
  activity(atMs: number): number
  /** Above 0 while the price climbs over minutes and hours. */
  mood(atMs: number): number
}

// Each octave lasts twice as long as the one before, from a quarter of a minute to some six weeks. An octave's size
// grows with the root of its length, so that moves grow with the root of time, as those of prices do.
const SHORTEST_MS = 15 * SECOND_MS
const OCTAVES = 19
// Chosen so that the moves of one minute have the asked-for spread.
const OCTAVE_SHARE = 0.6
const FAST_OCTAVES = 7
const MOOD_OCTAVES = [6, 9] as const
const ACTIVITY = [
  { layer: 40, periodMs: 20 * MINUTE_MS, size: 0.3 },
  { layer: 41, periodMs: 3 * HOUR_MS, size: 0.5 },
] as const
const ACTIVITY_SHIFT = ACTIVITY.reduce((sum, { size }) => sum + size ** 2 / 2, 0)

const periodOf = (octave: number) => SHORTEST_MS * 2 ** octave

export function createPricePath(seed: string, name: string, volPerMinute: number): PricePath {
  const stream = createRandomStream(seed, `token/${name}`)
  const sizes = Array.from(
    { length: OCTAVES },
    (_, octave) => OCTAVE_SHARE * volPerMinute * Math.sqrt(periodOf(octave) / MINUTE_MS),
  )
  const activity = (atMs: number) => activityAt(stream, atMs)
  return {
    activity,
    logPrice(atMs) {
      let [fast, slow] = [0, 0]
      sizes.forEach((size, octave) => {
        const move = size * noiseAt(stream, octave, periodOf(octave), atMs)
        if (octave < FAST_OCTAVES) fast += move
        else slow += move
      })
      return fast * activity(atMs) + slow
    },
    mood: (atMs) =>
      MOOD_OCTAVES.reduce((sum, octave) => sum + slopeAt(stream, octave, periodOf(octave), atMs), 0),
  }
}

function activityAt(stream: RandomStream, atMs: number): number {
  let log = -ACTIVITY_SHIFT
  for (const { layer, periodMs, size } of ACTIVITY) log += size * noiseAt(stream, layer, periodMs, atMs)
  return Math.exp(log)
}
