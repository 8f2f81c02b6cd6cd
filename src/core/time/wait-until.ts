import { type Clock, sleep } from './clock.ts'

const STEP_MS = 20

/** Looks again and again until it is so, or the time is over. */
export async function waitUntil(clock: Clock, isDone: () => boolean, maxWaitMs: number): Promise<void> {
  const giveUpMs = clock.now() + maxWaitMs
  while (!isDone() && clock.now() < giveUpMs) await sleep(clock, STEP_MS)
}
