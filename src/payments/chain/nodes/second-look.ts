import { createBoundedCache } from '../../../core/bounded-cache.ts'
import type { Clock } from '../../../core/time/clock.ts'
import { SECOND_MS } from '../../../core/time/time.ts'
import type { ChainOutcome } from '../../gate/ports.ts'

export type Dead = Extract<ChainOutcome, { kind: 'dead' }>

/** Long enough for the next request to meet another machine behind the same address. */
const APART_MS = 3 * SECOND_MS
/** Who is forgotten is looked at twice again. */
const REMEMBERED = 10_000

/**
 * A machine that has lost its past shows nothing of a payment that was made, and the next one may. What is dead by
 * absence is open at the first look, and dead when a look some seconds later finds the same.
 */
export function createSecondLook(clock: Clock): (key: string, outcome: ChainOutcome) => ChainOutcome {
  const firstAtMs = createBoundedCache<string, number | undefined>({ capacity: REMEMBERED })
  return (key, outcome) => {
    const isWeak = outcome.kind === 'dead' && outcome.isAbsent === true
    const firstMs = firstAtMs.get(key)
    if (!isWeak) {
      if (firstMs !== undefined) firstAtMs.set(key, undefined)
      return outcome
    }
    if (firstMs === undefined) firstAtMs.set(key, clock.now())
    return firstMs !== undefined && clock.now() - firstMs >= APART_MS ? outcome : { kind: 'open' }
  }
}
