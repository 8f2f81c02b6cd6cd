import { MINUTE_MS } from '../../core/time/time.ts'
import type { Kline } from '../events.ts'
import { readRows } from './read-rows.ts'
import type { RestReply } from './rest-host.ts'
import type { Klines } from './venue-client.ts'

/** A market may be quiet for less than this; a longer span without a single candle is no answer. */
const MAX_QUIET_MS = 10 * MINUTE_MS

/** Collects the candles of several pages. */
export function createKlineReader(find: (row: unknown) => Kline | undefined, onMalformed: () => void) {
  const klines: Kline[] = []
  let isClean = true
  let venueMs: number | undefined
  return {
    /** Throws for a page of `spanMs` without a single usable candle. */
    page({ json, venueMs: atMs }: RestReply, spanMs: number): void {
      const malformed = () => {
        isClean = false
        onMalformed()
      }
      const rows = readRows(json, find, malformed)
      if (rows.length === 0 && (!isClean || spanMs > MAX_QUIET_MS)) throw new Error('no candle in the reply')
      klines.push(...rows)
      // Of the oldest reply: what was final then is final in all of them.
      venueMs ??= atMs
    },
    all: (): Klines => ({ klines: klines.sort((a, b) => a.openMs - b.openMs), isClean, venueMs }),
  }
}
