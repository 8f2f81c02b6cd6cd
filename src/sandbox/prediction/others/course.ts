import { createRandomStream, type RandomStream } from '../../../core/math/random.ts'
import { DAY_MS, HOUR_MS } from '../../../core/time/time.ts'
import { driftAt } from '../crowd/drift.ts'
import type { Occurrence } from './occurrence.ts'
import type { Subject } from './subject.ts'

/** Probabilities and volumes of a subject's choices at any time, the same whenever they are asked for. */
export type Course = {
  probabilityOf(choice: number, atMs: number): number
  winner(): number
  /** Dollars traded since it was listed. */
  volumeUsd(choice: number, atMs: number): number
}

/** How the log odds wander: hours move them little, weeks much. */
const MOVES = [
  { periodMs: HOUR_MS, size: 0.05 },
  { periodMs: 7 * HOUR_MS, size: 0.12 },
  { periodMs: 3 * DAY_MS, size: 0.25 },
  { periodMs: 20 * DAY_MS, size: 0.4 },
] as const
/** In the last part of its life a subject is decided more and more. */
const DECIDING_PART = 0.25
const MOST_DECIDED = 40
const LOWEST = 0.002

export function createCourse(seed: string, subject: Subject, { slug, endsMs, listedMs }: Occurrence): Course {
  const { choices } = subject
  const name = `${subject.slug}-${slug}`
  const stream = createRandomStream(seed, `course/${name}`)
  const single = choices.length === 1
  const odds = choices.map(({ weight }) => (single ? Math.log(weight / (1 - weight)) : Math.log(weight)))
  const sharpness = (atMs: number) => {
    const left = Math.max(0, endsMs - atMs) / (endsMs - listedMs) / DECIDING_PART
    return left >= 1 ? 1 : Math.min(MOST_DECIDED, 1 / Math.sqrt(left))
  }
  const scores = (atMs: number) =>
    odds.map((base, choice) => (base + wander(stream, choice, atMs)) * sharpness(atMs))
  const probabilityOf = (choice: number, atMs: number) => {
    const own = scores(atMs)
    const mine = own[choice] ?? 0
    const sum = single ? 1 + Math.exp(-mine) : own.reduce((total, score) => total + Math.exp(score - mine), 0)
    return Math.min(1 - LOWEST, Math.max(LOWEST, 1 / sum))
  }
  const volumes = createVolumes(seed, name, subject.busy)
  return {
    probabilityOf,
    winner() {
      const last = scores(endsMs)
      return single ? (Number(last[0]) >= 0 ? 0 : 1) : last.indexOf(Math.max(...last))
    },
    volumeUsd: (choice, atMs) => volumes(choice, Math.max(0, Math.min(atMs, endsMs) - listedMs)),
  }
}

function wander(stream: RandomStream, choice: number, atMs: number): number {
  let sum = 0
  for (const [i, { periodMs, size }] of MOVES.entries())
    sum += size * driftAt(stream, periodMs, atMs, choice * MOVES.length + i)
  return sum
}

const MEDIAN_USD_PER_DAY = 4_000
/** Of the logarithm: one market in forty trades fifty times the median. */
const VOLUME_SD = 2
const MOST_USD_PER_DAY = 3_000_000

/** Rises all the time, faster by day than by night, and in some weeks more than in others. */
function createVolumes(seed: string, name: string, busy: number) {
  const stream = createRandomStream(seed, `volume/${name}`)
  return (choice: number, ageMs: number): number => {
    const scale = MEDIAN_USD_PER_DAY * busy * Math.exp(VOLUME_SD * stream.normal(choice * 4))
    const perDay = Math.min(MOST_USD_PER_DAY, scale)
    const days = ageMs / DAY_MS
    const wave = (periodDays: number, size: number, position: number) => {
      const turn = (2 * Math.PI) / periodDays
      const phase = 2 * Math.PI * stream.uniform(choice * 4 + position)
      return (size / turn) * (Math.sin(turn * days + phase) - Math.sin(phase))
    }
    return perDay * (days + wave(1, 0.6, 1) + wave(6.3, 0.35, 2))
  }
}
