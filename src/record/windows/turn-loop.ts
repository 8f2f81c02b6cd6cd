import type { Clock } from '../../core/time/clock.ts'

export type TurnLoop = {
  /** The first turn; resolves when it is done. */
  start(): Promise<void>
  idle(): Promise<void>
  /** Resolves when the current turn is done; no other follows. */
  stop(): Promise<void>
}

/** Runs one turn at a time; each returns how many milliseconds to wait for the next. */
export function createTurnLoop(clock: Clock, turn: () => Promise<number>): TurnLoop {
  let running: Promise<void> = Promise.resolve()
  let cancel: (() => void) | undefined
  let isStopped = false
  const run = async () => {
    const waitMs = await turn()
    if (!isStopped) cancel = clock.after(waitMs, wake)
  }
  const wake = () => {
    running = run()
  }
  return {
    async start() {
      wake()
      await running
    },
    async idle() {
      for (let seen: Promise<void> | undefined; seen !== running; ) {
        seen = running
        await seen
      }
    },
    async stop() {
      isStopped = true
      cancel?.()
      await running
    },
  }
}
