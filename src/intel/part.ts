import type { Clock } from '../core/time/clock.ts'
import type { Aged } from '../upstreams/source.ts'
import { UpstreamError, type UpstreamFault } from '../upstreams/upstream.ts'

/**
 * One part of an answer, and what is behind it. `fresh` is as young as the source allows, `aged` is older and still
 * worth showing, `missing` is not there or too old.
 */
export type Part<T> = { source: string } & (
  | { status: 'fresh' | 'aged'; value: T; asOfMs: number; reason?: undefined }
  | {
      status: 'missing'
      value?: undefined
      asOfMs?: undefined
      reason: string
      /** The source answered: it does not have it. Without this it could not answer. */
      isDenied?: true
    }
)

/** Up to `freshMs` a part is fresh, up to `hardMs` aged, and then missing. Both belong to what they end. */
export type Ages = { freshMs: number; hardMs: number }

export type PartInput = { source: string; ages: Ages; nowMs: number }

/** A clock that was set back must not make a value younger than it is: its age is then 0. */
export function toPart<T>(
  { source, ages, nowMs }: PartInput,
  found: Aged<T> | undefined,
  fault?: unknown,
): Part<T> {
  if (found === undefined) return missing(source, fault)
  const ageMs = Math.max(0, nowMs - found.asOfMs)
  if (ageMs > ages.hardMs) return { source, status: 'missing', reason: tooOld(fault) }
  return { source, status: ageMs <= ages.freshMs ? 'fresh' : 'aged', ...found }
}

/** The same part with another value. */
export function mapPart<T, U>(part: Part<T>, map: (value: T) => U): Part<U> {
  return part.status === 'missing' ? part : { ...part, value: map(part.value) }
}

export type ReadPartInput<T> = {
  source: string
  ages: Ages
  clock: Clock
  /** The longest that a request may wait for it. */
  limitMs: number
  read: () => Promise<Aged<T>>
}

/** Asks the source and waits no longer than the limit: what is late is missing, and never an error. */
export async function readPart<T>({
  source,
  ages,
  clock,
  limitMs,
  read,
}: ReadPartInput<T>): Promise<Part<T>> {
  let cancel = () => {}
  const late = new Promise<never>((_, reject) => {
    cancel = clock.after(limitMs, () => reject(LATE))
  })
  try {
    const found = await Promise.race([read(), late])
    return toPart({ source, ages, nowMs: clock.now() }, found)
  } catch (error) {
    return missing(source, error)
  } finally {
    cancel()
  }
}

/** The read goes on: it may be there for the next request. */
export const LATE_REASON = 'late: the source did not answer in time'
const LATE = new Error(LATE_REASON)

/** A part that the source says it does not have. */
export const denied = (source: string) =>
  ({ source, status: 'missing', reason: WORDS.not_found, isDenied: true }) as const

function missing(source: string, fault: unknown): Part<never> {
  if (fault instanceof UpstreamError && fault.fault === 'not_found') return denied(source)
  return { source, status: 'missing', reason: reasonOf(fault) }
}

const tooOld = (fault: unknown) => (fault === undefined ? 'too old' : `too old; ${reasonOf(fault)}`)

/** For everybody to see; the log says more. */
function reasonOf(fault: unknown): string {
  if (fault === undefined) return 'not read yet'
  if (fault === LATE) return LATE_REASON
  return fault instanceof UpstreamError ? WORDS[fault.fault] : 'could not be read'
}

const WORDS: Readonly<Record<UpstreamFault, string>> = {
  not_found: 'the source does not have it',
  refused: 'the source refuses to answer',
  down: 'the source does not answer',
  malformed: 'the source answers in a format that we cannot read',
  frozen: 'the source says nothing new',
  busy: 'the source is not asked for a while, because it was down or its limit was reached',
}
