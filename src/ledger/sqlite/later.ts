import type { Clock } from '../../core/time/clock.ts'

/** At most one write a second, shared with whatever else is written in that turn. */
const SAVE_AFTER_MS = 1_000

export type Later = {
  /** Saves within a second. What could not be saved is tried again with the next plan; other writers report the outage. */
  plan(): void
  /** Saves now; rejects where that fails. */
  run(): Promise<void>
  close(): void
}

/** For what is noted at once and written soon. `save` takes what waits, and puts it back where it fails. */
export function createLater(clock: Clock, save: () => Promise<void>): Later {
  let cancel: (() => void) | undefined
  const run = () => {
    cancel?.()
    cancel = undefined
    return save()
  }
  const runQuietly = () => void run().catch(() => {})
  return {
    plan() {
      cancel ??= clock.after(SAVE_AFTER_MS, runQuietly)
    },
    run,
    close: runQuietly,
  }
}
