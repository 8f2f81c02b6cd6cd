import type { Clock } from '../../core/time/clock.ts'
import { SECOND_MS } from '../../core/time/time.ts'
import { waitUntil } from '../../core/time/wait-until.ts'
import type { Feeds } from '../../feeds/feeds.ts'
import type { FiveMinuteFeed } from '../../feeds/prediction/five-minute-markets.ts'
import type { StreamHealth } from '../../feeds/stream-health.ts'
import type { CommandReport } from '../../operator/admin/commands.ts'

export type ReconnectPorts = {
  clock: Clock
  feeds: Pick<Feeds, 'reconnect' | 'health'>
  fiveMinute: Pick<FiveMinuteFeed, 'reconnect' | 'health'>
}

/** A busy stream brings something within a second. One of a quiet market may not, and is counted as silent. */
const LIVE_WAIT_MS = 10 * SECOND_MS

/** Replaces every connection, then waits until all of them bring data, for a bounded time. */
export async function reconnectFeeds({ clock, feeds, fiveMinute }: ReconnectPorts): Promise<CommandReport> {
  const droppedMs = clock.now()
  const streams = () => [...feeds.health().streams, ...fiveMinute.health().streams]
  feeds.reconnect()
  fiveMinute.reconnect()
  const silent = () => streams().filter((stream) => !hasBrought(stream, clock.now() - droppedMs))
  await waitUntil(clock, () => silent().length === 0, LIVE_WAIT_MS)
  const left = silent()
  const count = streams().length
  return {
    did:
      left.length === 0
        ? `replaced every connection; all ${count} streams bring data again`
        : `replaced every connection; ${left.length} of ${count} streams have brought nothing since`,
    facts: { streams: count, live: count - left.length, silent: left.map(nameOf).join(', ') },
  }
}

const hasBrought = ({ ageMs }: StreamHealth, sinceMs: number) => ageMs !== undefined && ageMs < sinceMs
const nameOf = ({ source, kind, coin }: StreamHealth) => [source, kind, coin].filter(Boolean).join(' ')
