import type { Clock } from '../../core/time/clock.ts'
import { SECOND_MS } from '../../core/time/time.ts'
import type { StatePart } from '../market/market-state.ts'
import { toPartText } from '../wire/entry.ts'

/** Written by turns, so that none of them holds up the process. */
const PART_EVERY_MS = SECOND_MS
/** However many readers ask for it. */
const WHOLE_EVERY_MS = SECOND_MS
/** Entries beyond those that the oldest part needs, for whoever reads late. */
const ENTRIES_MORE = 50
const ENTRIES_MAX = 2_000

type Writable = Pick<StatePart, 'name' | 'write'>

/** Which parts of the state are in Redis, and as of which entry. */
export type StateWriter = {
  /** Texts of the parts that are due, as they are now, which must be right after the entry `seq`. */
  due(epoch: number, seq: number): ReadonlyMap<string, string>
  written(names: Iterable<string>, seq: number): void
  /** Redis may have lost everything, or an entry was lost that the parts there need. */
  forget(): void
  /** A reader cannot use what is there: all of it is written again, but not all the time. */
  wanted(): void
  /** Entries that a late joiner needs. */
  entriesNeeded(seq: number): number
  readonly isWhole: boolean
}

export function createStateWriter(clock: Clock, parts: readonly Writable[]): StateWriter {
  /** Oldest first. */
  const seqs = new Map<string, number>()
  let nextMs = 0
  let wholeMs = Number.NEGATIVE_INFINITY
  const missing = () => parts.filter(({ name }) => !seqs.has(name))
  /** One at a time: a full one takes some ten milliseconds. */
  const pick = (): readonly Writable[] => {
    const [lacking] = missing()
    if (lacking) return [lacking]
    const [oldest] = seqs.keys()
    return clock.now() < nextMs ? [] : parts.filter(({ name }) => name === oldest)
  }
  return {
    due: (epoch, seq) =>
      new Map(pick().map(({ name, write }) => [name, toPartText({ epoch, seq, state: write() })])),
    written(names, seq) {
      for (const name of names) {
        seqs.delete(name)
        seqs.set(name, seq)
        nextMs = clock.now() + PART_EVERY_MS
      }
    },
    forget: () => seqs.clear(),
    wanted() {
      // Whoever is refused asks again.
      if (clock.now() - wholeMs < WHOLE_EVERY_MS) return
      wholeMs = clock.now()
      seqs.clear()
    },
    entriesNeeded(seq) {
      const [oldest = seq] = seqs.values()
      return Math.min(seq - oldest + ENTRIES_MORE, ENTRIES_MAX)
    },
    get isWhole() {
      return missing().length === 0
    },
  }
}
