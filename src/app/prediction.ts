import type { ProviderName, Upstreams } from '../config/providers.ts'
import { COINS } from '../core/coin.ts'
import type { Log } from '../core/log.ts'
import type { Clock } from '../core/time/clock.ts'
import { SECOND_MS } from '../core/time/time.ts'
import { waitUntil } from '../core/time/wait-until.ts'
import { logUntil } from '../feeds/feed-log.ts'
import { openSocket } from '../feeds/open-socket.ts'
import { createOperatorAccount } from '../feeds/prediction/account/operator-account.ts'
import { createFiveMinuteMarkets, type FiveMinuteFeed } from '../feeds/prediction/five-minute-markets.ts'
import { createMarketList, type MarketListFeed } from '../feeds/prediction/list/market-list.ts'
import type { PredictionServices } from '../products/prediction-markets/services.ts'
import { createClob } from '../upstreams/polymarket/clob/client.ts'
import { createPolyData } from '../upstreams/polymarket/data/client.ts'
import { createGamma, type Gamma } from '../upstreams/polymarket/gamma/client.ts'
import { createUpstream } from '../upstreams/rules/create-upstream.ts'
import { createHostGates } from '../upstreams/rules/host-gate.ts'
import type { Upstream, UpstreamCounters } from '../upstreams/upstream.ts'

/** What handlers may know of the prediction-market venue. */
export type Prediction = Pick<PredictionServices, 'fiveMinute' | 'list' | 'account'>

/** What is known of it, kept current until stopped. */
export type OpenPrediction = {
  fiveMinute: FiveMinuteFeed
  list: MarketListFeed
  /** What handlers may use of it. */
  services: Prediction
  /** Asks the venue for the market of any window. */
  lookup: Pick<Gamma, 'fiveMinute'>
  counters(): readonly UpstreamCounters[]
  stop(): void
}

type Ports = {
  upstreams: Upstreams
  /** The operator's own account at the venue; undefined where none is configured. */
  wallet: string | undefined
  /** Outcomes are told of windows from this start on; absent: of the one before the present one. */
  sinceS?: number | undefined
  clock: Clock
  log: Log
  /** Replaced in tests only. */
  random?: () => number
}

/** Returns at once: where the venue is down, what needs it answers 503 until it is not. */
export function openPrediction({
  upstreams,
  wallet,
  sinceS,
  clock,
  log,
  random = Math.random,
}: Ports): OpenPrediction {
  const stopped = new AbortController()
  const quiet = logUntil(stopped.signal, log)
  const gates = createHostGates({ clock, random })
  const open = (provider: ProviderName, baseUrl: string): Upstream =>
    createUpstream({ provider, baseUrl, clock, random, gate: gates.of(baseUrl), log: quiet })
  const hosts = {
    gamma: open('gamma', upstreams.GAMMA),
    clob: open('clob', upstreams.CLOB),
    // Nobody is asked about an account that there is not, and health does not name him.
    ...(wallet !== undefined && { data: open('poly_data', upstreams.POLY_DATA) }),
  }
  const gamma = createGamma(hosts.gamma)
  const { books } = createClob(hosts.clob)
  const fiveMinute = createFiveMinuteMarkets({
    clock,
    random,
    log,
    lookup: { fiveMinute: gamma.fiveMinute, books },
    url: `${upstreams.CLOB_WS}/market`,
    gate: gates.of(upstreams.CLOB_WS),
    openSocket,
    sinceS,
  })
  const list = createMarketList({ clock, random, log, events: gamma })
  const account =
    wallet !== undefined && hosts.data
      ? createOperatorAccount({ clock, random, log, wallet, data: createPolyData(hosts.data) })
      : undefined
  const stopChecks = clock.every(SECOND_MS, () => {
    for (const host of Object.values(hosts)) host.check()
  })
  fiveMinute.start()
  list.start()
  account?.start()
  return {
    fiveMinute,
    list,
    services: { fiveMinute, list, account },
    lookup: gamma,
    counters: () => Object.values(hosts).map(({ counters }) => counters()),
    stop() {
      stopped.abort()
      stopChecks()
      fiveMinute.stop()
      list.stop()
      account?.stop()
      for (const host of Object.values(hosts)) host.close()
    },
  }
}

/** Books and list arrive within a second. A venue that is down must not keep the service from starting. */
const FIRST_MARKETS_WAIT_MS = 6_000

/** So that the first call after the start gets the market of every coin, and the list. */
export function waitForFirstMarkets({ services }: OpenPrediction, clock: Clock): Promise<void> {
  const { fiveMinute, list } = services
  const hasAll = () => COINS.every((coin) => fiveMinute.open(coin)) && list.last() !== undefined
  return waitUntil(clock, hasAll, FIRST_MARKETS_WAIT_MS)
}
