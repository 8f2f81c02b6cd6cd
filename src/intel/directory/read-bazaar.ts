import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '../../core/time/clock.ts'
import { MINUTE_MS } from '../../core/time/time.ts'
import type { Bazaar } from '../../upstreams/bazaar/client.ts'
import { askPatiently } from '../../upstreams/rules/ask-patiently.ts'
import { UpstreamError } from '../../upstreams/upstream.ts'
import type { Listing } from './listing.ts'
import { fromBazaar } from './to-listing.ts'

const PAGE = 100
/** Twice what the bazaar has; the rest of a longer list is not read. */
const MAX_ROWS = 40_000
/** At 48 pages a minute the longest list takes eight minutes. */
const MAX_READ_MS = 15 * MINUTE_MS
/** Rows come and go while the pages are read. */
const WHOLE_SHARE = 0.9
/** A list that shrank to less than half is believed when it is said so often. */
const BELIEVED_AFTER = 3

/** Rows that cannot be shown are left out: broken ones, and those without an address that a buyer can call. */
export type ReadList = { listings: readonly Listing[]; leftOut: number }

type Ports = { bazaar: Bazaar; clock: Clock; signal: AbortSignal }

/** Reads the whole list; rejects where a page cannot be read or the list is not whole. */
export function createBazaarReader({ bazaar, clock, signal }: Ports): () => Promise<ReadList> {
  let lastRows = 0
  let doubts = 0
  return async () => {
    const untilMs = clock.now() + MAX_READ_MS
    const listings = new Map<string, Listing>()
    let [rows, leftOut, total] = [0, 0, MAX_ROWS]
    while (rows < Math.min(total, MAX_ROWS)) {
      if (clock.now() > untilMs) throw new UpstreamError('down', 'the bazaar was not read whole in time')
      const ask = () => bazaar.page({ offset: rows, limit: PAGE })
      const page = await askPatiently(ask, { clock, signal, untilMs })
      total = page.total ?? total
      if (page.rows === 0) break
      rows += page.rows
      leftOut += page.skipped.count
      for (const resource of page.resources) {
        // Judging a long text takes a millisecond or more: requests are served between two rows.
        await nextTurn()
        const listing = fromBazaar(resource)
        // A row that moved to a later page meanwhile is there twice; what was read last is true.
        if (listing) listings.set(listing.url, listing)
        else leftOut++
      }
    }
    const isSaidWhole = total === MAX_ROWS || rows >= Math.min(total, MAX_ROWS) * WHOLE_SHARE
    if (listings.size === 0 || !isSaidWhole || (rows < lastRows / 2 && doubts < BELIEVED_AFTER)) {
      doubts++
      throw new UpstreamError('malformed', `the bazaar listed ${rows} rows only`)
    }
    lastRows = rows
    doubts = 0
    return { listings: [...listings.values()], leftOut }
  }
}
