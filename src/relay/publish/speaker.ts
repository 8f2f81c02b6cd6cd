import { randomUUID } from 'node:crypto'
import type { RedisConnection } from '../../access/redis/connection.ts'
import { describeRedisFault } from '../../access/redis/redis-fault.ts'
import type { Log } from '../../core/log.ts'
import type { Clock } from '../../core/time/clock.ts'
import { createSteadyTime } from '../../core/time/steady-time.ts'
import type { FeedSink } from '../../feeds/events.ts'
import { createMarketChanges } from '../market/market-change.ts'
import { marketParts } from '../market/market-state.ts'
import { VALUES_PART } from '../values/value-kinds.ts'
import { toEntryText } from '../wire/entry.ts'
import { createRelayLog } from '../wire/relay-log.ts'
import { createBulkSources } from './bulk-sources.ts'
import { createBulkWriter } from './bulk-writer.ts'
import { type Sources, toldOf } from './sources.ts'
import { createStateWriter } from './state-writer.ts'
import { createToldValues, type Told } from './told-values.ts'

export type SpeakerOptions = {
  redis: Pick<RedisConnection, 'run'>
  /** Of `keyPrefix`. */
  prefix: string
  clock: Clock
  log: Pick<Log, 'info' | 'warn'>
  /** Larger than that of every earlier leader, or nothing is said. */
  epoch: number
  sources: Sources
  /** Nothing is said before it is true; absent where it always is. */
  mayBegin?: () => boolean
  /** Called once, when another leader was found. */
  onOver?: () => void
  /** Replaced in tests only. */
  token?: string
}
export type SpeakerCounts = {
  entries: number
  bytes: number
  failures: number
  isOver: boolean
  /** Events that were not told yet. */
  waiting: number
}

/** Says one entry after another: what has changed, and with some of them a part of the state. */
export type Speaker = {
  sink: FeedSink
  turn(): Promise<void>
  /** Parts of the state are missing that whoever reads needs. */
  hasMore(): boolean
  /** While a turn is under way: events that are too many to wait are dropped. */
  bound(): void
  counts(): SpeakerCounts
  stop(): void
}

/** Events that wait while Redis is slow; an answer that does not come in time ends the wait before. */
const WAITING_MAX = 200_000

export function createSpeaker(options: SpeakerOptions, more: Told): Speaker {
  const { clock, epoch, sources } = options
  const term = { epoch, token: options.token ?? randomUUID() }
  const relay = createRelayLog(options)
  const writer = createBulkWriter({ relay, term })
  const bulk = createBulkSources({ ...sources, clock, log: options.log, writer })
  const values = createToldValues([...toldOf(sources, clock), ...bulk.told, more])
  const market = createMarketChanges(sources.market)
  const parts = [...marketParts(sources.market), { name: VALUES_PART, write: values.state }]
  const state = createStateWriter(clock, parts)
  const steady = clock.steady ?? createSteadyTime(clock)
  const counts = { entries: 0, bytes: 0, failures: 0, isOver: false }
  const hearers = createHearers(options.log)
  let seq = 0

  /** Whatever Redis had is written again. */
  const forget = () => {
    state.forget()
    writer.forget()
    bulk.again()
  }
  /** What could not be told is not kept: who reads finds a gap, and begins with the state again. */
  const lose = (error: unknown) => {
    counts.failures++
    hearers.lost(error)
    forget()
  }
  const end = (leading: number) => {
    counts.isOver = true
    // With a planned hand-over this is as it should be; otherwise the process says more, and ends.
    options.log.info({ epoch, leading }, 'another engine leads; this one says nothing more')
    options.onOver?.()
  }
  return {
    sink: market.sink,
    async turn() {
      const changes = [...market.take(), ...values.take(seq)]
      if (counts.isOver) return
      const [sent, failures] = [++seq, counts.failures]
      const entry = toEntryText({ epoch, seq: sent, sentMs: steady(), changes })
      // While nobody answers, the state is not worth its work.
      const due = hearers.areThere() ? state.due(epoch, sent) : new Map<string, string>()
      try {
        const published = await relay.publish(term, entry, state.entriesNeeded(sent), due)
        if (published.as === 'over') return end(published.epoch)
        if (published.as === 'begun') forget()
        hearers.found(counts.failures)
        // Events that were dropped meanwhile are in none of these parts.
        if (failures === counts.failures) state.written(due.keys(), sent)
        if (published.isStateWanted) state.wanted()
        counts.entries++
        counts.bytes += entry.length + sizeOf(due)
      } catch (error) {
        lose(error)
      }
    },
    hasMore: () => hearers.areThere() && !state.isWhole && !counts.isOver,
    bound() {
      if (market.size <= WAITING_MAX) return
      market.take()
      seq++
      lose(new Error('too many events wait for Redis'))
    },
    counts: () => ({ ...counts, waiting: market.size }),
    stop() {
      counts.isOver = true
      bulk.stop()
    },
  }
}

/** Whether somebody takes what is said; one line in the log when that changes. */
function createHearers(log: SpeakerOptions['log']) {
  let areThere = true
  return {
    areThere: () => areThere,
    lost(error: unknown) {
      if (areThere)
        log.warn({ cause: describeRedisFault(error) }, 'other processes are not told what the engine knows')
      areThere = false
    },
    found(failures: number) {
      if (!areThere) log.info({ failures }, 'other processes are told again')
      areThere = true
    },
  }
}

const sizeOf = (texts: ReadonlyMap<string, string>): number =>
  [...texts.values()].reduce((sum, text) => sum + text.length, 0)
