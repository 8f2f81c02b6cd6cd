import { COINS } from '../../core/coin.ts'
import { countText } from '../../core/count-text.ts'
import type { Clock } from '../../core/time/clock.ts'
import { VENUES, type Venue } from '../../feeds/events.ts'
import type { Feeds } from '../../feeds/feeds.ts'
import type { StreamHealth } from '../../feeds/stream-health.ts'
import type { Store } from '../../ledger/ports/store.ts'
import type { Leadership } from '../../ledger/postgres/leader/leadership.ts'
import type { Market } from '../../market/market.ts'
import type { FacilitatorPool } from '../../payments/facilitators/facilitators.ts'
import type { Payable } from '../../payments/payable/payable.ts'
import type { PublicRecord } from '../../products/record/services.ts'
import type { CheckState, HealthCheck, HealthReport } from '../../products/service/services.ts'
import type { SignalServices } from '../../products/signals/services.ts'
import type { UpstreamCounters } from '../../upstreams/upstream.ts'
import type { Chains } from '../chains.ts'
import type { OpenHistory } from '../history.ts'
import { facilitatorsCheck } from './facilitators.ts'
import { botCheck } from './health-bot.ts'
import { chainChecks, nodesCheck } from './health-chains.ts'
import { historyCheck } from './health-history.ts'
import { predictionCheck } from './health-prediction.ts'
import { createRedisCheck, engineCheck, leaderCheck } from './health-shared.ts'
import { createRecordCheck, signalsCheck } from './health-signals.ts'
import { upstreamChecks } from './health-upstreams.ts'
import { createStoreCheck } from './store.ts'
import { usdcCheck } from './usdc.ts'
import type { Watch } from './watch.ts'
import type { Watches } from './watches.ts'

type Ports = {
  clock: Clock
  market: Market
  signals: SignalServices['signals']
  record: Pick<PublicRecord, 'latest'>
  feeds: Pick<Feeds, 'health'>
  store: Pick<Store, 'ping'>
  facilitators: Pick<FacilitatorPool, 'health'>
  watches: Pick<Watches, 'disk'>
  chains: Pick<Chains, 'base' | 'solana'>
  payable: Pick<Payable, 'networks' | 'closureOf'>
  /** Of every provider that is asked through the upstream layer. */
  upstreams?: () => readonly UpstreamCounters[]
  fiveMinute?: Parameters<typeof predictionCheck>[0]
  history?: Pick<OpenHistory, 'health'> | undefined
  bot?: Parameters<typeof botCheck>[0]
  /** Why the engine is not heard; undefined where this process is it. */
  missing?: (() => string | undefined) | undefined
  /** Undefined where counts are not kept there. */
  pingRedis?: (() => Promise<void>) | undefined
  leadership?: Pick<Leadership, 'term'> | undefined
  /** The ledger is a file of this disk. */
  isEmbedded: boolean
}
const ORACLE_FRESH_MS = 10_000

/** Asks ledger and Redis, once a second at most; all else is watched. One venue may fall silent; prices, oracle and ledger may not. */
export function createHealth(ports: Ports): () => Promise<HealthReport> {
  const { market, feeds, store, facilitators, watches, clock, fiveMinute, upstreams = () => [] } = ports
  const { history, bot, chains, payable, pingRedis, leadership, missing, isEmbedded } = ports
  const recordCheck = createRecordCheck(ports)
  const storeCheck = createStoreCheck(store, clock)
  const redisCheck = pingRedis && createRedisCheck(pingRedis, clock)
  return async () => {
    const { streams } = feeds.health()
    // Why it is not is said once, by `engine`.
    const none = missing?.() === undefined ? 'not started' : 'the engine is not heard'
    const checks = [
      pricesCheck(market),
      oracleCheck(streams, none),
      signalsCheck(ports),
      recordCheck(),
      await storeCheck(),
      ...(redisCheck ? [await redisCheck()] : []),
      ...(leadership ? [leaderCheck(leadership)] : []),
      ...(missing ? [engineCheck(missing)] : []),
      diskCheck(watches.disk, isEmbedded),
      facilitatorsCheck(facilitators.health()),
      usdcCheck(payable),
      nodesCheck([chains.base, chains.solana]),
      ...chainChecks([chains.base, chains.solana]),
      ...VENUES.map((venue) => venueCheck(venue, streams, none)),
      ...(fiveMinute ? [predictionCheck(fiveMinute)] : []),
      ...(bot ? [botCheck(bot, clock.now())] : []),
      ...(history ? [historyCheck(history.health(), clock.now())] : []),
      ...upstreamChecks(upstreams(), clock.now()),
    ]
    return { state: overall(checks), checks }
  }
}

function overall(checks: readonly HealthCheck[]): CheckState {
  if (checks.some(({ needed, state }) => needed && state === 'down')) return 'down'
  return checks.every(({ state }) => state === 'ok' || state === 'idle') ? 'ok' : 'degraded'
}

function pricesCheck(market: Market): HealthCheck {
  const priced = COINS.filter((coin) => market.price(coin))
  const state = priced.length === COINS.length ? 'ok' : priced.length > 0 ? 'degraded' : 'down'
  const detail = `fresh prices of ${priced.length} of ${COINS.length} coins`
  return { name: 'prices', needed: true, state, latencyMs: null, ageMs: null, detail }
}

/** `none`: why there are no streams, where there are none. */
function oracleCheck(streams: readonly StreamHealth[], none: string): HealthCheck {
  const oracle = streams.find(({ kind }) => kind === 'oracle')
  const isFresh = oracle?.ageMs !== undefined && oracle.ageMs <= ORACLE_FRESH_MS
  return {
    name: 'oracle',
    needed: true,
    state: isFresh ? 'ok' : 'down',
    latencyMs: oracle?.latencyMs ?? null,
    ageMs: oracle?.ageMs ?? null,
    detail: oracle ? `${oracle.source}: ${oracle.state}` : none,
  }
}

/** Where the ledger is a database, sales go on without it. */
function diskCheck(disk: Watch, isEmbedded: boolean): HealthCheck {
  const { isWell, detail, latencyMs, ageMs } = disk.latest()
  return { name: 'disk', needed: isEmbedded, state: isWell ? 'ok' : 'down', latencyMs, ageMs, detail }
}

function venueCheck(venue: Venue, all: readonly StreamHealth[], none: string): HealthCheck {
  const streams = all.filter(({ source }) => source === venue)
  const live = streams.filter(({ state }) => state === 'live')
  const state = live.length === 0 ? 'down' : live.length === streams.length ? 'ok' : 'degraded'
  const broken = streams
    .filter(({ state }) => state !== 'live')
    .map((each) => `${each.kind} ${each.coin} ${each.state}`)
  const known = broken.length === 0 ? `${countText(live.length, 'stream')} live` : broken.join(', ')
  return {
    name: venue,
    needed: false,
    state,
    latencyMs: largest(live, 'latencyMs'),
    ageMs: largest(live, 'ageMs'),
    detail: streams.length === 0 ? none : known,
  }
}

type Timed = { readonly latencyMs?: number | null | undefined; readonly ageMs?: number | null | undefined }

function largest(of: readonly Timed[], key: keyof Timed): number | null {
  const values = of.flatMap((each) => each[key] ?? [])
  return values.length === 0 ? null : Math.max(...values)
}
