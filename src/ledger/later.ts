import type { Clock } from '../core/time/clock.ts'

/** At most one write a second, shared with whatever else is written in that turn. */
const SAVE_AFTER_MS = 1_000

export type Later = {
  /** Saves within a second. What could not be saved is tried again with the next plan; other writers report the outage. */
  plan(): void
  /** Saves now, and waits for what is being saved already; rejects where any of it fails. */
  run(): Promise<void>
  /** Saves what waits, if that can be. */
  close(): Promise<void>
}

/** For what is noted at once and written soon. `save` takes what waits, and puts it back where it fails. */
export function createLater(clock: Clock, save: () => Promise<void>): Later {
  const underWay = new Set<Promise<void>>()
  let cancel: (() => void) | undefined
  const run = async () => {
    cancel?.()
    cancel = undefined
    const own: Promise<void> = save().finally(() => underWay.delete(own))
    underWay.add(own)
    const outcomes = await Promise.allSettled(underWay)
    const failed = outcomes.find((outcome) => outcome.status === 'rejected')
    if (failed) throw failed.reason
  }
  const runQuietly = () => run().catch(() => {})
  return {
    plan() {
      cancel ??= clock.after(SAVE_AFTER_MS, () => void runQuietly())
    },
    run,
    close: runQuietly,
  }
}
