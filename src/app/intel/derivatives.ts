import type { Upstreams } from '../../config/providers.ts'
import type { Log } from '../../core/log.ts'
import type { Clock } from '../../core/time/clock.ts'
import { logUntil } from '../../feeds/feed-log.ts'
import { createLiquidationFeed } from '../../feeds/liquidations/liquidation-feed.ts'
import { liquidationStreams } from '../../feeds/liquidations/liquidation-streams.ts'
import { openSocket } from '../../feeds/open-socket.ts'
import { createDerivatives } from '../../intel/derivatives/create-derivatives.ts'
import type { DerivativesDesk } from '../../intel/derivatives/derivatives-desk.ts'
import type { Market } from '../../market/market.ts'
import { createBinanceFutures } from '../../upstreams/binance-futures/client.ts'
import { createBybit } from '../../upstreams/bybit/client.ts'
import { createHyperliquid } from '../../upstreams/hyperliquid/client.ts'
import { createOkx } from '../../upstreams/okx/client.ts'
import { createHostGates } from '../../upstreams/rules/host-gate.ts'
import type { Hosts } from '../upstream-hosts.ts'

type Ports = {
  upstreams: Upstreams
  hosts: Pick<Hosts, 'open'>
  market: Pick<Market, 'candles' | 'price'>
  clock: Clock
  log: Log
  /** Replaced in tests only. */
  random?: () => number
}

export type OpenDerivatives = {
  derivatives: DerivativesDesk
  /** Resolves when every venue has been asked once, well or not. */
  start(): Promise<void>
  stop(): void
}

/** Perpetual futures at four venues, and the sockets of the three that tell of liquidations. */
export function openDerivatives({
  upstreams,
  hosts,
  market,
  clock,
  log,
  random = Math.random,
}: Ports): OpenDerivatives {
  const stopped = new AbortController()
  const okx = createOkx(hosts.open('okx', upstreams.OKX))
  const liquidations = createLiquidationFeed({
    streams: liquidationStreams(upstreams, okx.contractCoins),
    gates: createHostGates({ clock, random }),
    log: logUntil(stopped.signal, log),
    ...{ clock, random, openSocket },
  })
  const binanceHost = hosts.open('binance_futures', upstreams.BINANCE_FUTURES)
  const derivatives = createDerivatives({
    ...{ clock, random, market, liquidations },
    venues: {
      binance: createBinanceFutures({ upstream: binanceHost, clock, random }),
      bybit: createBybit(hosts.open('bybit', upstreams.BYBIT)),
      okx,
      hyperliquid: createHyperliquid(hosts.open('hyperliquid', upstreams.HYPERLIQUID), clock),
    },
  })
  return {
    derivatives,
    start: derivatives.start,
    stop() {
      stopped.abort()
      derivatives.stop()
    },
  }
}
