import type { Log } from '../../core/log.ts'
import type { Clock } from '../../core/time/clock.ts'
import { MINUTE_MS } from '../../core/time/time.ts'

/** Whose connections were too many, or what a connection did that was cut off. */
type CutOff = 'client_limit' | 'network_limit' | 'total_limit' | 'not_reading' | 'too_many_waiting'
export type CountCutOff = (why: CutOff) => void

type Ports = {
  clock: Pick<Clock, 'now'>
  log: Log
  /** Counts them too. */
  also?: CountCutOff | undefined
}

/** Counts since the start. The log has a line a minute at most, however many there are. */
export function createCutOffs({ clock, log, also }: Ports): CountCutOff {
  const counts: Partial<Record<CutOff, number>> = {}
  let toldMs = Number.NEGATIVE_INFINITY
  return (why) => {
    counts[why] = (counts[why] ?? 0) + 1
    also?.(why)
    const nowMs = clock.now()
    // Also where somebody sets the clock back.
    if (Math.abs(nowMs - toldMs) < MINUTE_MS) return
    toldMs = nowMs
    log.warn({ ...counts }, 'connections are refused or cut off')
  }
}
