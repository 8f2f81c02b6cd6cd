import { createBackoff } from '../core/time/backoff.ts'
import type { Clock } from '../core/time/clock.ts'
import { MINUTE_MS, SECOND_MS } from '../core/time/time.ts'
import { createStandstill } from './rules/standstill.ts'
import { type Aged, toUpstreamError } from './source.ts'
import { UpstreamError } from './upstream.ts'

/** What is read from a provider on a schedule, whoever asks: requests are served from memory and never wait for it. */
export type Polled<T> = {
  /** The last good value however old; undefined until there is one. */
  last(): Aged<T> | undefined
  /** Why there is none, or why it is not renewed; undefined while it is. */
  fault(): UpstreamError | undefined
  /** Resolves when the first read has ended, well or not. */
  start(): Promise<void>
  stop(): void
}

type Options<T> = {
  clock: Clock
  random: () => number
  everyMs: number
  fetch: () => Promise<T>
  /** For what has no time of its own and cannot stand still for longer: beyond that it is as old as its last change. */
  moves?: { withinMs: number; of: (value: T) => unknown }
}

const FIRST_RETRY_MS = 2 * SECOND_MS

/** Failed reads are repeated with growing waits, up to the usual one or a minute. */
export function createPolled<T>({ clock, random, everyMs, fetch, moves }: Options<T>): Polled<T> {
  const standstill = createStandstill()
  const backoff = createBackoff({ firstMs: FIRST_RETRY_MS, maxMs: Math.min(everyMs, MINUTE_MS) }, random)
  let last: Aged<T> | undefined
  let fault: UpstreamError | undefined
  let isStopped = false
  let cancel = () => {}

  const schedule = (waitMs: number) => {
    if (!isStopped) cancel = clock.after(waitMs, () => void read())
  }
  const read = async () => {
    // A value is as old as its request: the provider may have looked at any time since.
    const asOfMs = clock.now()
    try {
      const value = await fetch()
      const sinceMs = moves ? standstill.note(moves.of(value), asOfMs) : asOfMs
      const isFrozen = moves !== undefined && asOfMs - sinceMs > moves.withinMs
      last = { value, asOfMs: isFrozen ? sinceMs : asOfMs }
      fault = isFrozen ? new UpstreamError('frozen', 'nothing in it has changed') : undefined
      backoff.reset()
      schedule(Math.max(0, asOfMs + everyMs - clock.now()))
    } catch (cause) {
      fault = toUpstreamError(cause)
      schedule(backoff.nextMs())
    }
  }
  return {
    last: () => last,
    fault: () => fault,
    start: read,
    stop() {
      isStopped = true
      cancel()
    },
  }
}
