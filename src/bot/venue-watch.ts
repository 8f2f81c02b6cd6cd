import { describeError } from '../core/describe-error.ts'
import type { Clock } from '../core/time/clock.ts'
import { MINUTE_MS, SECOND_MS } from '../core/time/time.ts'
import type { Broker, Obstacle } from './brokers/broker.ts'
import { isDue } from './is-due.ts'

/** What a broker last said about itself, so that a look waits for nothing. */
export type VenueWatch = {
  /** Asks again for what is due. Rejects where the balance cannot be asked for; what was known stays until it is old. */
  refresh(): Promise<void>
  /** Undefined where it is not known, or was asked too long ago. */
  cash(): { amountE6: bigint; atMs: number } | undefined
  skewMs(): number | undefined
  obstacles(): readonly Obstacle[]
}

/** Older than this is not known. */
const MAX_AGE_MS = 30 * SECOND_MS
const OBSTACLES_EVERY_MS = 2 * MINUTE_MS
const NOT_ASKED: Obstacle = { code: 'not_asked', text: 'the venue was not asked yet: wait a moment' }

export function createVenueWatch({ clock, broker }: { clock: Clock; broker: Broker }): VenueWatch {
  let cash: { amountE6: bigint; atMs: number } | undefined
  let skew: { ms: number | undefined; atMs: number } | undefined
  let pauses: readonly Obstacle[] = []
  let obstacles: { list: readonly Obstacle[]; atMs: number } | undefined
  const isFresh = (read: { atMs: number } | undefined) =>
    read !== undefined && !isDue(clock.now(), read.atMs, MAX_AGE_MS + 1)

  const askObstacles = async () => {
    if (!isDue(clock.now(), obstacles?.atMs, OBSTACLES_EVERY_MS)) return
    const atMs = clock.now()
    try {
      obstacles = { list: await broker.obstacles(), atMs }
    } catch (err) {
      // Asked again with the next refresh: what stands in the way is not known, so nothing is traded.
      const text = `whether anything stands in the way cannot be asked: ${describeError(err)}`
      obstacles = { list: [{ code: 'unknown', text }], atMs: atMs - OBSTACLES_EVERY_MS }
    }
  }
  return {
    async refresh() {
      const atMs = clock.now()
      skew = { ms: await broker.clockSkewMs(), atMs }
      pauses = await broker.pauses()
      await askObstacles()
      cash = { amountE6: await broker.cashE6(), atMs }
    },
    cash: () => (isFresh(cash) ? cash : undefined),
    skewMs: () => (isFresh(skew) ? skew?.ms : undefined),
    obstacles: () => [...pauses, ...(obstacles?.list ?? [NOT_ASKED])],
  }
}
