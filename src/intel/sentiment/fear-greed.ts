import type { Clock } from '../../core/time/clock.ts'
import { HOUR_MS, MINUTE_MS } from '../../core/time/time.ts'
import type { FearGreedIndex } from '../../upstreams/fng/client.ts'
import type { FearGreedDay, FearGreedWord } from '../../upstreams/fng/wire.ts'
import { createPolled } from '../../upstreams/polled.ts'
import { type Part, toPart } from '../part.ts'

const SOURCE = 'alternative.me'
const NO_DAY = 'the source has no day that has begun'
const DAYS = 31
const EVERY_MS = 15 * MINUTE_MS
/** A value is of a day, and the next is published within minutes of midnight. */
const AGES = { freshMs: 26 * HOUR_MS, hardMs: 50 * HOUR_MS }
/** Where the provider's words begin, for values that come without one. */
const WORDS_FROM: readonly [from: number, word: FearGreedWord][] = [
  [76, 'Extreme Greed'],
  [55, 'Greed'],
  [47, 'Neutral'],
  [26, 'Fear'],
]

/** The mood of the whole market, from 0 (fear) to 100 (greed). */
export type FearGreed = {
  value: number
  word: FearGreedWord
  /** Values of a day, a week and a month before; undefined where the history is shorter or lacks the day. */
  dayAgo: number | undefined
  weekAgo: number | undefined
  monthAgo: number | undefined
}

export type FearGreedSource = { read(): Part<FearGreed>; start(): Promise<void>; stop(): void }
type Ports = { clock: Clock; random: () => number; index: FearGreedIndex }

export function createFearGreedSource({ clock, random, index }: Ports): FearGreedSource {
  const polled = createPolled({ clock, random, everyMs: EVERY_MS, fetch: () => index.days(DAYS) })
  return {
    read() {
      const last = polled.last()
      // A day that had not begun when it was read says nothing yet.
      const days = last?.value.filter(({ atMs }) => atMs <= last.asOfMs)
      const newest = days?.[0]
      if (days && !newest) return { source: SOURCE, status: 'missing', reason: NO_DAY }
      // The index has its own time.
      const found = days && newest && { value: toFearGreed(newest, days), asOfMs: newest.atMs }
      return toPart({ source: SOURCE, ages: AGES, nowMs: clock.now() }, found, polled.fault())
    },
    start: polled.start,
    stop: polled.stop,
  }
}

export function toFearGreed(newest: FearGreedDay, days: readonly FearGreedDay[]): FearGreed {
  const ago = (count: number) => days.find(({ atMs }) => atMs === newest.atMs - count * 24 * HOUR_MS)?.value
  const { value, word = wordOf(newest.value) } = newest
  return { value, word, dayAgo: ago(1), weekAgo: ago(7), monthAgo: ago(30) }
}

const wordOf = (value: number): FearGreedWord =>
  WORDS_FROM.find(([from]) => value >= from)?.[1] ?? 'Extreme Fear'
