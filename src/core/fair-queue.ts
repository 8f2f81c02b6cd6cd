import type { Clock } from './time/clock.ts'

/** Work in turns: who asks for much waits behind his own, not others behind him. */
export type FairQueue = {
  /**
   * Rejects with the error of `refuse` where the wait is too long, or the line full: one more takes the place of the
   * newest of the longest line, unless his own would be as long.
   */
  run<T>(key: string, work: () => Promise<T>): Promise<T>
}
export type FairQueueOptions = {
  clock: Clock
  /** Done at once: by all, and for one key. */
  places: number
  placesPerKey: number
  /** Waiting: all, and for one key. */
  line: number
  linePerKey: number
  waitMs: number
  refuse: () => Error
  /** Turns go to the lowest first; the highest gives way first. */
  rankOf?: (key: string) => number
  /** Where others set the pace. */
  paceOf?: () => Pace
}
/** Which share of the places there is now, and in how many ms the next piece of work may start. */
export type Pace = { share: number; waitMs: number }

type Waiter = { start: () => void; giveUp: () => void }
type Line = Set<Waiter>

const FULL_PACE: Pace = { share: 1, waitMs: 0 }

export function createFairQueue(options: FairQueueOptions): FairQueue {
  const { clock, places, placesPerKey, line, linePerKey, waitMs, refuse } = options
  const { rankOf = () => 0, paceOf = () => FULL_PACE } = options
  const running = createRunning(placesPerKey)
  /** By key; the key that got a place last is last. */
  const waiting = new Map<string, Line>()
  let waiters = 0
  const starts = createStarts(clock, places, paceOf)
  const leave = (key: string, waiter: Waiter) => {
    const own = waiting.get(key)
    if (!own?.delete(waiter)) return
    waiters--
    if (own.size === 0) waiting.delete(key)
  }
  const startNext = (): boolean => {
    const key = findLowest([...waiting.keys()].filter(running.hasPlace), rankOf)
    const own = key === undefined ? undefined : waiting.get(key)
    const [first] = own ?? []
    if (key === undefined || !own || !first) return false
    leave(key, first)
    if (waiting.delete(key)) waiting.set(key, own)
    running.change(key, 1)
    first.start()
    return true
  }
  const startThose = () => {
    while (waiters > 0 && starts.isOpen(running.count()) && startNext());
    if (waiters > 0) starts.later(startThose)
  }
  const makeRoom = (key: string, own: Line) => {
    if (waiters < line) return
    const longest = findLongest(waiting, rankOf)
    if (!longest || rankOf(key) + own.size + 1 >= longest.length) throw refuse()
    longest.newest.giveUp()
  }
  const enter = (key: string): Promise<void> | undefined => {
    // Where starts are rare, those who wait come first: else who asks most often has them.
    const isFirst = waiters === 0 || !starts.isSlow()
    if (isFirst && starts.isOpen(running.count()) && running.hasPlace(key)) return void running.change(key, 1)
    const own = waiting.get(key) ?? new Set()
    if (own.size >= linePerKey) throw refuse()
    makeRoom(key, own)
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        cancel()
        leave(key, waiter)
        reject(refuse())
      }
      const cancel = clock.after(waitMs, giveUp)
      const waiter: Waiter = {
        start() {
          cancel()
          resolve()
        },
        giveUp,
      }
      waiting.set(key, own.add(waiter))
      waiters++
      startThose()
    })
  }
  return {
    async run(key, work) {
      await enter(key)
      try {
        return await work()
      } finally {
        running.change(key, -1)
        startThose()
      }
    },
  }
}

/** What is under way, of all and of each key. */
function createRunning(placesPerKey: number) {
  const byKey = new Map<string, number>()
  let count = 0
  return {
    count: () => count,
    hasPlace: (key: string) => (byKey.get(key) ?? 0) < placesPerKey,
    change(key: string, by: 1 | -1) {
      count += by
      const left = (byKey.get(key) ?? 0) + by
      if (left > 0) byKey.set(key, left)
      else byKey.delete(key)
    },
  }
}

/** When work may start, at the pace of others. */
function createStarts(clock: Clock, places: number, paceOf: () => Pace) {
  let next: { atMs: number; cancel: () => void } | undefined
  return {
    isOpen(taken: number): boolean {
      const { share, waitMs } = paceOf()
      return waitMs <= 0 && taken < Math.max(1, Math.floor(places * share))
    },
    isSlow: () => paceOf().share < 1,
    /** Calls it when the next may start, where that is a matter of time. */
    later(startThose: () => void) {
      const { waitMs } = paceOf()
      const atMs = clock.now() + waitMs
      if (waitMs <= 0 || (next && next.atMs <= atMs)) return
      next?.cancel()
      const cancel = clock.after(waitMs, () => {
        next = undefined
        startThose()
      })
      next = { atMs, cancel }
    },
  }
}

/** The first of equals. */
function findLowest(keys: readonly string[], rankOf: (key: string) => number): string | undefined {
  let lowest: { key: string; rank: number } | undefined
  for (const key of keys) {
    const rank = rankOf(key)
    if (!lowest || rank < lowest.rank) lowest = { key, rank }
  }
  return lowest?.key
}

/** A rank makes a line longer by as much. Of equals the one that came, or had a turn, last. */
function findLongest(
  waiting: ReadonlyMap<string, Line>,
  rankOf: (key: string) => number,
): { length: number; newest: Waiter } | undefined {
  let longest: { length: number; own: Line } | undefined
  for (const [key, own] of waiting) {
    const length = rankOf(key) + own.size
    if (!longest || length >= longest.length) longest = { length, own }
  }
  const newest = longest && [...longest.own].at(-1)
  return longest && newest && { length: longest.length, newest }
}
