import type { Clock } from '../../core/time/clock.ts'
import { MINUTE_MS } from '../../core/time/time.ts'
import type { BrokerName } from '../../ledger/ports/bot-book.ts'

/** Shares that won and that the venue does not show, and of whose payment nothing is told yet. */
export type MissingShares = {
  /** `isLasting`: for too long to be a delay; `isNews`: now for the first time. */
  note(broker: BrokerName, conditionId: string, heldE6: bigint): { isLasting: boolean; isNews: boolean }
  forget(broker: BrokerName, conditionId: string): void
  /** After a reset: what is still so is news once more. */
  forgetAll(): void
}

/** A balance may be behind, and so may the list of what was paid, by minutes. */
const LASTING_AFTER_MS = 5 * MINUTE_MS
const LEAST_READINGS = 3
/** More markets than are won before anything is redeemed. */
const MAX_MARKETS = 1_000

type Seen = { heldE6: bigint; sinceMs: number; readings: number; isTold: boolean }

/** Both brokers may have won in one market. */
const keyOf = (broker: BrokerName, conditionId: string): string => `${broker} ${conditionId}`

export function createMissingShares(clock: Pick<Clock, 'now'>): MissingShares {
  const known = new Map<string, Seen>()
  return {
    note(broker, conditionId, heldE6) {
      const key = keyOf(broker, conditionId)
      const before = known.get(key)
      const isSame = before?.heldE6 === heldE6 && clock.now() >= before.sinceMs
      const seen = isSame ? before : { heldE6, sinceMs: clock.now(), readings: 0, isTold: false }
      seen.readings++
      if (before || known.size < MAX_MARKETS) known.set(key, seen)
      const isLasting = seen.readings >= LEAST_READINGS && clock.now() - seen.sinceMs >= LASTING_AFTER_MS
      const isNews = isLasting && !seen.isTold
      seen.isTold ||= isLasting
      return { isLasting, isNews }
    },
    forget: (broker, conditionId) => void known.delete(keyOf(broker, conditionId)),
    forgetAll: () => known.clear(),
  }
}
