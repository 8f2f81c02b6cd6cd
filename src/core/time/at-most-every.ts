import type { Clock } from './clock.ts'

/** Whoever asks within that time of the last question gets its answer, also while that is still to come. */
export function atMostEvery<T>(clock: Clock, everyMs: number, ask: () => Promise<T>): () => Promise<T> {
  let asked: { atMs: number; answer: Promise<T> } | undefined
  return () => {
    const nowMs = clock.now()
    // Also where somebody sets the clock back.
    if (!asked || Math.abs(nowMs - asked.atMs) >= everyMs) asked = { atMs: nowMs, answer: ask() }
    return asked.answer
  }
}
