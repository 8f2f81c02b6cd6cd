import { createClientKey } from '../access/client-key.ts'
import { createOperatorCheck } from '../access/operator-check.ts'
import { createRateCounters } from '../access/rate-counters.ts'
import type { Site } from '../catalog/site.ts'
import type { Config } from '../config/config.ts'
import type { Log } from '../core/log.ts'
import type { Clock } from '../core/time/clock.ts'
import { createEventStreams } from '../http/respond/event-streams.ts'
import { createHttpServer, drain, listen, serveCatalog } from '../http/server.ts'
import type { Store } from '../ledger/ports/store.ts'
import { createChallenges } from '../payments/challenge/challenge.ts'
import { createGate, type DemoBudget } from '../payments/gate/gate.ts'
import type { Sell } from '../payments/gate/sell.ts'
import type { ReadPayment } from '../payments/read/read-payment.ts'
import { createOffers } from '../payments/receipts/offers.ts'
import type { ServiceKey } from '../payments/receipts/service-key.ts'
import type { Shop } from './shop.ts'

type Parts = {
  config: Pick<Config, 'host' | 'trustedProxies' | 'operatorKey'>
  clock: Clock
  log: Log
  site: Site
  port: number
  key: ServiceKey
  store: Pick<Store, 'usage'>
  shop: Shop
  demo: DemoBudget
  sell: Sell
  readPayment: ReadPayment
  bootId: string
}

/** The shop behind its gate, on HTTP. */
export async function serveShop(parts: Parts): Promise<{ close(): Promise<void> }> {
  const { config, clock, log, site, port, key, store, shop, demo, sell, readPayment, bootId } = parts
  const { mint, handlers, replies } = shop
  const challenges = createChallenges({
    ...site,
    clock,
    offers: createOffers({ key, clock, mode: site.mode }),
  })
  const clientKey = createClientKey(config.trustedProxies)
  const streams = createEventStreams({ clock, log })
  const server = createHttpServer()
  serveCatalog(server, site.catalog, {
    clock,
    log,
    site,
    bootId,
    handlers,
    replies,
    gate: createGate({ clock, mint, challenges, demo, readPayment, sell }),
    clientKey,
    checks: { operator: createOperatorCheck({ clock, clientKey, key: config.operatorKey }) },
    counters: createRateCounters({ clock }),
    streams,
    usage: store.usage,
  })
  log.info({ host: config.host, port: await listen(server, config.host, port) }, 'listening')
  return {
    async close() {
      streams.endAll()
      await drain(server)
    },
  }
}
