import { uptime } from 'node:os'

/** Time is a parameter: a test, a backtest and the sandbox run on a clock of their own. */
export type Clock = {
  /** Milliseconds since the epoch. */
  now(): number
  /** Milliseconds of a clock that nobody sets and that goes on while the machine sleeps; only differences mean anything. */
  steady?(): number
  /** Runs `task` once after `ms`; the returned function cancels it. */
  after(ms: number, task: () => void): () => void
  /** Runs `task` every `ms`; the returned function stops it. */
  every(ms: number, task: () => void): () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  // Not `performance.now`, which stands still on Linux while the machine sleeps.
  steady: () => uptime() * 1_000,
  after(ms, task) {
    const timer = setTimeout(task, ms)
    return () => clearTimeout(timer)
  },
  every(ms, task) {
    const timer = setInterval(task, ms)
    return () => clearInterval(timer)
  },
}

/** Resolves after `ms` of the clock's own time, at once when the signal aborts. */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const done = () => {
      cancel()
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const cancel = clock.after(ms, done)
    signal?.addEventListener('abort', done, { once: true })
  })
}
