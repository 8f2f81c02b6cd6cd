import type { Clock } from '../../core/time/clock.ts'

/** A clock whose time is over when the signal aborts: what waits on it, such as a time limit of a client, ends then. */
export function createEndingClock(clock: Clock, signal: AbortSignal): Clock {
  return {
    ...clock,
    after(ms, task) {
      let isDone = false
      const end = () => {
        if (isDone) return
        cancelled()
        task()
      }
      const cancelled = () => {
        isDone = true
        cancel()
        signal.removeEventListener('abort', end)
      }
      const cancel = clock.after(ms, end)
      signal.addEventListener('abort', end, { once: true })
      return cancelled
    },
  }
}
