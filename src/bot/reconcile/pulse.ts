import type { Clock } from '../../core/time/clock.ts'

/** Work that is done again and again, never twice at a time. */
export type Pulse = {
  /** At once, or once more after the pass that is under way. */
  kick(): void
  stop(): void
}

/** `work` says after how long it wants to run again, and never rejects. */
export function createPulse(
  clock: Clock,
  work: () => Promise<number>,
  track: (work: Promise<void>) => void,
): Pulse {
  let isRunning = false
  let isWanted = false
  let isStopped = false
  let cancel = () => {}
  const run = async () => {
    isRunning = true
    let nextMs = 0
    do {
      isWanted = false
      nextMs = await work()
    } while (isWanted && !isStopped)
    isRunning = false
    if (!isStopped) cancel = clock.after(nextMs, kick)
  }
  const kick = () => {
    cancel()
    if (isStopped) return
    if (isRunning) isWanted = true
    else track(run())
  }
  return {
    kick,
    stop() {
      isStopped = true
      cancel()
    },
  }
}
