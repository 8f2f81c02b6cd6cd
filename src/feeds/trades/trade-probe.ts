import { sleep } from '../../core/clock.ts'
import type { Trade } from '../events.ts'
import type { FeedOptions } from '../watch-loop.ts'
import type { TradeSequence } from './trade-sequence.ts'

/** After this much silence REST is asked whether the market is quiet or the socket is dead. */
const QUIET_PROBE_MS = 15_000
/** The socket may still deliver within this what REST has found. */
const PROBE_SLACK_MS = 2_000
/** Probes in a row that found trades the socket lacks: one may be a single lost message. */
const MISSED_BEFORE_RESTART = 2
/** Silence that counts as a stall while REST cannot be reached. */
const STALLED_MS = 60_000

type Options = FeedOptions & {
  sequence: TradeSequence
  /** Gets the trades that the socket should have delivered. */
  take(trade: Trade): void
}

export type TradeProbe = { check(): void; readonly isBusy: boolean }

/** Distinguishes a quiet market from a dead socket, by asking for trades that the socket should have delivered. */
export function createTradeProbe({
  clock,
  client,
  coin,
  gauge,
  log,
  signal,
  sequence,
  take,
}: Options): TradeProbe {
  let isAsking = false
  let missedInRow = 0
  let probedMs = Number.NEGATIVE_INFINITY
  const ask = async (nextId: number) => {
    isAsking = true
    try {
      return await client.tradesBetween(coin, nextId, undefined)
    } catch (error) {
      log.warn({ venue: client.venue, coin, error: String(error) }, 'trade probe failed')
      return undefined
    } finally {
      isAsking = false
    }
  }
  const probe = async (nextId: number) => {
    const found = await ask(nextId)
    if (found ? found.length === 0 : (gauge.ageMs() ?? 0) < STALLED_MS) return
    await sleep(clock, PROBE_SLACK_MS, signal)
    if (signal.aborted || (sequence.nextId ?? 0) > nextId) return
    for (const trade of found ?? []) take(trade)
    if (found) gauge.count('gapsRepaired')
    missedInRow = (gauge.ageMs() ?? 0) < 2 * QUIET_PROBE_MS ? 1 : missedInRow + 1
    if (missedInRow < MISSED_BEFORE_RESTART) return
    missedInRow = 0
    gauge.become('stalled')
    client.restart('trades', coin)
  }
  return {
    check() {
      const nowMs = clock.now()
      const { nextId } = sequence
      if (nextId === undefined || nowMs - probedMs < QUIET_PROBE_MS) return
      if ((gauge.ageMs() ?? nowMs) < QUIET_PROBE_MS) return
      probedMs = nowMs
      probe(nextId).catch((error: unknown) => log.warn({ error: String(error) }, 'trade probe broke'))
    },
    get isBusy() {
      return isAsking
    },
  }
}
