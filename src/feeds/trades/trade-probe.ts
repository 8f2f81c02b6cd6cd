import { sleep } from '../../core/time/clock.ts'
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
  /** Trades may be missing: the socket is silent, and REST has more or cannot be asked. */
  onDoubt(): void
}

export type TradeProbe = {
  /** Called every second from the subscription on. */
  check(): void
  readonly isBusy: boolean
}

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
  onDoubt,
}: Options): TradeProbe {
  let isAsking = false
  let missedInRow = 0
  let probedMs = Number.NEGATIVE_INFINITY
  let firstCheckMs: number | undefined
  /** Before the first trade the silence counts from the subscription. */
  const silentMs = () => gauge.ageMs() ?? clock.now() - (firstCheckMs ?? clock.now())
  const readMissed = async (nextId: number | undefined) => {
    if (nextId !== undefined) return client.tradesBetween(coin, nextId, undefined)
    const latest = await client.latestTrade(coin)
    return latest ? [latest] : []
  }
  const ask = async (nextId: number | undefined) => {
    isAsking = true
    try {
      return await readMissed(nextId)
    } catch (error) {
      log.debug({ venue: client.venue, coin, error: String(error) }, 'trade probe failed')
      return undefined
    } finally {
      isAsking = false
    }
  }
  const probe = async (nextId: number | undefined) => {
    const found = await ask(nextId)
    if (!found || found.length > 0) onDoubt()
    if (found ? found.length === 0 : silentMs() < STALLED_MS) return
    await sleep(clock, PROBE_SLACK_MS, signal)
    if (signal.aborted || (sequence.nextId ?? 0) > (nextId ?? 0)) return
    for (const trade of found ?? []) take(trade)
    // The newest trade, where there was none before, is a start and no repair.
    if (found && nextId === undefined) return
    if (found) gauge.count('gapsRepaired')
    missedInRow = silentMs() < 2 * QUIET_PROBE_MS ? 1 : missedInRow + 1
    if (missedInRow < MISSED_BEFORE_RESTART) return
    missedInRow = 0
    gauge.become('stalled')
    if (found) client.restart('trades', coin)
    // The market may be quiet, and a new connection would cost the books, which Binance cannot load without REST.
    else client.resubscribe('trades', coin)
  }
  return {
    check() {
      const nowMs = clock.now()
      firstCheckMs ??= nowMs
      if (silentMs() < QUIET_PROBE_MS || nowMs - probedMs < QUIET_PROBE_MS) return
      probedMs = nowMs
      probe(sequence.nextId).catch((error: unknown) =>
        log.warn({ error: String(error) }, 'trade probe broke'),
      )
    },
    get isBusy() {
      return isAsking
    },
  }
}
