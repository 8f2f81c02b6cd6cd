import type { Clock } from '../../../core/time/clock.ts'
import { MINUTE_MS } from '../../../core/time/time.ts'
import type { Placement } from '../../../upstreams/polymarket/trading/trading.ts'
import type { Obstacle } from '../broker.ts'

/** The venue cannot be asked whether it takes orders; what it said to the last ones counts for a while. */
export type Pause = {
  note(placement: Placement): void
  obstacle(): readonly Obstacle[]
}

const WITHOUT_A_TIME_MS = MINUTE_MS
const LONGEST_MS = 10 * MINUTE_MS
/** So many refusals in a row have a cause that lasts, whatever each of them says. */
const MAX_REFUSALS = 5
/** Somebody else was faster, which says nothing about the venue. */
const NOBODY_MATCHED = /no orders found to match/i
const REFUSING_MS = 5 * MINUTE_MS
const KNOWN: Readonly<Record<string, Obstacle>> = {
  disabled: {
    code: 'trading_disabled',
    text: 'Polymarket has switched trading off: wait until it is back',
  },
  restarting: {
    code: 'trading_restarting',
    text: 'the matching engine of Polymarket restarts: wait a minute',
  },
  geoblocked: {
    code: 'geoblocked',
    text: 'Polymarket takes no orders from where this machine is: run the service where it may trade',
  },
}

export function createPause(clock: Clock): Pause {
  let last: (Obstacle & { untilMs: number }) | undefined
  let refusals = 0
  return {
    note(placement) {
      if (placement.state === 'unknown') return
      if (placement.state !== 'refused') {
        last = undefined
        refusals = 0
        return
      }
      if (NOBODY_MATCHED.test(placement.reason)) return
      refusals++
      const { fault, reason, retryAfterMs = WITHOUT_A_TIME_MS } = placement
      const known = Object.hasOwn(KNOWN, fault) ? KNOWN[fault] : undefined
      const isRefusing = refusals >= MAX_REFUSALS
      if (!known && !isRefusing) return
      const waitMs = Math.max(isRefusing ? REFUSING_MS : 0, known ? Math.min(retryAfterMs, LONGEST_MS) : 0)
      last = { ...(known ?? refusing(refusals, reason)), untilMs: clock.now() + waitMs }
    },
    obstacle: () => (last && clock.now() < last.untilMs ? [{ code: last.code, text: last.text }] : []),
  }
}

const refusing = (refusals: number, reason: string): Obstacle => ({
  code: 'refusing',
  text: `Polymarket refused the last ${refusals} orders, the last one with "${reason}": wait ${REFUSING_MS / MINUTE_MS} minutes, or run ./tollbook doctor`,
})
