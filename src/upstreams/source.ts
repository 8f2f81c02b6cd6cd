import { describeError } from '../core/describe-error.ts'
import { createBackoff } from '../core/time/backoff.ts'
import type { Clock } from '../core/time/clock.ts'
import { createSteadyTime } from '../core/time/steady-time.ts'
import { UpstreamError } from './upstream.ts'

/** A value with the time at which it was true. */
export type Aged<T> = { value: T; asOfMs: number }

/**
 * The last good value of something that is read from a provider. Younger than its soft age it is served as it is;
 * between soft and hard age it is served while a new one is read; older than its hard age it is not served.
 */
export type Source<T> = {
  /** The value, read anew where needed; rejects with an `UpstreamError` when there is none young enough. */
  read(): Promise<Aged<T>>
  /** The last good value however old, without a request. */
  last(): Aged<T> | undefined
}

/** An age that depends on the value: one with gaps is not kept as long as a whole one. */
type AgeOf<T> = (value: T) => number

export type SourceOptions<T> = {
  clock: Clock
  random: () => number
  softMs: number | AgeOf<T>
  hardMs: number | AgeOf<T>
  fetch: () => Promise<T>
}

/** After a failure the provider is not asked again before this, however many ask us. */
const RETRY_BOUNDS = { firstMs: 1_000, maxMs: 15_000 }

/** One read is under way at most, and those who need its value wait for it together. */
export function createSource<T>({ clock, random, softMs, hardMs, fetch }: SourceOptions<T>): Source<T> {
  const time = createSteadyTime(clock)
  const backoff = createBackoff(RETRY_BOUNDS, random)
  let held: (Aged<T> & { readAtMs: number }) | undefined
  let failed: { error: UpstreamError; untilMs: number } | undefined
  let underWay: Promise<Aged<T>> | undefined

  const readAnew = async (): Promise<Aged<T>> => {
    // A value is as old as its request: the provider may have looked at any time since.
    const [asOfMs, readAtMs] = [clock.now(), time()]
    try {
      held = { value: await fetch(), asOfMs, readAtMs }
      failed = undefined
      backoff.reset()
      return toAged(held)
    } catch (cause) {
      const error = toUpstreamError(cause)
      failed = { error, untilMs: time() + backoff.nextMs() }
      throw error
    } finally {
      underWay = undefined
    }
  }
  const renew = (): Promise<Aged<T>> => {
    if (underWay) return underWay
    if (failed && time() < failed.untilMs) return Promise.reject(failed.error)
    underWay = readAnew()
    return underWay
  }
  return {
    async read() {
      const ageMs = held ? time() - held.readAtMs : Number.POSITIVE_INFINITY
      if (!held || ageMs > ageOf(hardMs, held.value)) return renew()
      // Whoever reads gets the old value at once; a failure shows when that is too old.
      if (ageMs > ageOf(softMs, held.value)) renew().catch(() => {})
      return toAged(held)
    },
    last: () => held && toAged(held),
  }
}

const ageOf = <T>(age: number | AgeOf<T>, value: T): number => (typeof age === 'number' ? age : age(value))

const toAged = <T>({ value, asOfMs }: Aged<T>): Aged<T> => ({ value, asOfMs })

export const toUpstreamError = (cause: unknown): UpstreamError =>
  cause instanceof UpstreamError ? cause : new UpstreamError('down', describeError(cause), { cause })
