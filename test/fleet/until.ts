import { sleep, systemClock } from '../../src/core/time/clock.ts'

const LOOK_EVERY_MS = 50

/** Looks until it is so; rejects with what did not come. Resolves with how long it took. */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  withinMs: number,
): Promise<number> {
  const startedMs = Date.now()
  for (;;) {
    if (await holds()) return Date.now() - startedMs
    if (Date.now() - startedMs > withinMs) throw new Error(`${what}: not within ${withinMs / 1000} s`)
    await sleep(systemClock, LOOK_EVERY_MS)
  }
}
