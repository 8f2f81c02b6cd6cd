import type { Clock } from '../../core/time/clock.ts'

/** What is known when the time is over; undefined where that is nothing. A failure is like nothing. */
export async function within<T>(clock: Clock, limitMs: number, asking: Promise<T>): Promise<T | undefined> {
  let cancel = () => {}
  const late = new Promise<undefined>((resolve) => {
    cancel = clock.after(limitMs, () => resolve(undefined))
  })
  try {
    return await Promise.race([asking, late])
  } catch {
    return undefined
  } finally {
    cancel()
  }
}
