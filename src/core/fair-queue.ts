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
}

type Waiter = { start: () => void; giveUp: () => void }
type Line = Set<Waiter>

export function createFairQueue(options: FairQueueOptions): FairQueue {
  const { clock, places, placesPerKey, line, linePerKey, waitMs, refuse, rankOf = () => 0 } = options
  const running = new Map<string, number>()
  /** By key; the key that got a place last is last. */
  const waiting = new Map<string, Line>()
  let taken = 0
  let waiters = 0
  const hasPlace = (key: string) => taken < places && (running.get(key) ?? 0) < placesPerKey
  const change = (key: string, by: 1 | -1) => {
    taken += by
    const left = (running.get(key) ?? 0) + by
    if (left > 0) running.set(key, left)
    else running.delete(key)
  }
  const leave = (key: string, waiter: Waiter) => {
    const own = waiting.get(key)
    if (!own?.delete(waiter)) return
    waiters--
    if (own.size === 0) waiting.delete(key)
  }
  const startNext = () => {
    const key = findLowest([...waiting.keys()].filter(hasPlace), rankOf)
    const own = key === undefined ? undefined : waiting.get(key)
    const [first] = own ?? []
    if (key === undefined || !own || !first) return
    leave(key, first)
    if (waiting.delete(key)) waiting.set(key, own)
    change(key, 1)
    first.start()
  }
  const makeRoom = (key: string, own: Line) => {
    if (waiters < line) return
    const longest = findLongest(waiting, rankOf)
    if (!longest || rankOf(key) + own.size + 1 >= longest.length) throw refuse()
    longest.newest.giveUp()
  }
  const enter = (key: string): Promise<void> | undefined => {
    if (hasPlace(key)) return void change(key, 1)
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
    })
  }
  return {
    async run(key, work) {
      await enter(key)
      try {
        return await work()
      } finally {
        change(key, -1)
        startNext()
      }
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
