import type { Clock } from './time/clock.ts'

/** Work in turns: who asks for much waits behind his own, not others behind him. */
export type FairQueue = {
  /** Rejects with the error of `refuse` where the line is full, or the wait too long. */
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
}

type Waiter = { start: () => void }

export function createFairQueue(options: FairQueueOptions): FairQueue {
  const { clock, places, placesPerKey, line, linePerKey, waitMs, refuse } = options
  const running = new Map<string, number>()
  /** By key; the key that got a place last is last. */
  const waiting = new Map<string, Set<Waiter>>()
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
    for (const [key, own] of waiting) {
      const [first] = own
      if (!first || !hasPlace(key)) continue
      leave(key, first)
      if (waiting.delete(key)) waiting.set(key, own)
      change(key, 1)
      first.start()
      return
    }
  }
  const enter = (key: string): Promise<void> | undefined => {
    if (hasPlace(key)) return void change(key, 1)
    const own = waiting.get(key) ?? new Set()
    if (waiters >= line || own.size >= linePerKey) throw refuse()
    return new Promise((resolve, reject) => {
      const cancel = clock.after(waitMs, () => {
        leave(key, waiter)
        reject(refuse())
      })
      const waiter = {
        start() {
          cancel()
          resolve()
        },
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
