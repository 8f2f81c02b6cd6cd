import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { createClientKey } from './access/client-key.ts'
import { createDemoBudget } from './access/demo-budget.ts'
import { type Catalog, createCatalog } from './catalog/catalog.ts'
import type { Site } from './catalog/document.ts'
import { createReplies } from './catalog/encoded-reply.ts'
import type { Services } from './catalog/services.ts'
import type { Config } from './config/config.ts'
import { ASSETS } from './core/asset.ts'
import { type Clock, sleep } from './core/clock.ts'
import type { Log } from './core/log.ts'
import { SERVICE } from './core/service.ts'
import { documents } from './discovery/documents.ts'
import { createFeeds } from './feeds/feeds.ts'
import { createHttpServer, drain, listen, serveCatalog } from './http/server.ts'
import { openSqliteStore } from './ledger/sqlite-store.ts'
import { createMarket, type Market } from './market/market.ts'
import { createChallenges } from './payments/challenge.ts'
import { createGate } from './payments/gate.ts'
import { createTerms } from './payments/terms.ts'
import { createHealth } from './products/health-report.ts'
import { products } from './products/products.ts'
import { openSurroundings, type Surroundings } from './sandbox/surroundings.ts'

export type App = { site: Site; services: Services; stop(): Promise<void> }
export type AppInput = { config: Config; log: Log; clock: Clock }

/** Prices arrive within a second; a venue that is down must not keep the service from starting. */
const FIRST_PRICES_WAIT_MS = 4_000
const FIRST_PRICES_STEP_MS = 20

/** Puts every part together; the only place that knows them all. Stops in reverse order of start. */
export async function startApp({ config, log, clock }: AppInput): Promise<App> {
  const stops: (() => Promise<void>)[] = []
  const stop = async () => {
    for (const each of stops.splice(0).reverse()) await each()
  }
  try {
    const app = await start({ config, log, clock }, stops)
    return { ...app, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function start(
  { config, log, clock }: AppInput,
  stops: (() => Promise<void>)[],
): Promise<Omit<App, 'stop'>> {
  const store = openSqliteStore(join(config.dataDir, 'ledger.sqlite'))
  stops.push(store.close)
  const demo = await createDemoBudget({ clock, counters: store.demo, ...config.demo })
  const surroundings = await openSurroundings(config, clock)
  stops.push(surroundings.close)

  const market = createMarket({ clock })
  const { upstreams, oracleKeys } = surroundings
  const feeds = createFeeds({ clock, sink: market.sink, upstreams, oracleKeys, log, random: Math.random })
  await feeds.start()
  stops.push(feeds.stop)
  await firstPrices(market, clock)

  const server = createHttpServer()
  const port = await listen(server, config.host, config.port)
  stops.push(() => drain(server))
  const site = describeSite(
    config,
    port,
    createCatalog([...products, ...documents]),
    surroundings.payTo,
    clock,
  )
  const services = createServices(site, clock, market, createHealth({ market, feeds, store }))
  const gate = createGate({ clock, demo, challenges: createChallenges(site) })
  const clientKey = createClientKey(config.trustedProxies)
  const replies = createReplies(services)
  const bootId = randomBytes(4).toString('hex')
  serveCatalog(server, site.catalog, { clock, site, replies, gate, clientKey, log, bootId })
  return { site, services }
}

function describeSite(
  config: Config,
  port: number,
  catalog: Catalog,
  payTo: Surroundings['payTo'],
  clock: Clock,
): Site {
  const baseUrl = config.baseUrl ?? `http://${reachable(config.host)}:${port}`
  return {
    baseUrl,
    mode: config.mode,
    contactEmail: config.contactEmail,
    catalog,
    demoCallsPerDay: config.demo.perClientPerDay,
    facilitator: config.facilitators[0] ?? baseUrl,
    payment: createTerms(payTo),
    startedAt: new Date(clock.now()).toISOString(),
  }
}

/** A wildcard address can be listened on but not called. */
function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

function createServices(site: Site, clock: Clock, market: Market, health: Services['health']): Services {
  const prefix = site.mode === 'sandbox' ? 'sandbox:' : ''
  return {
    clock,
    market,
    health,
    sourceOf: (source) => `${prefix}${source}`,
    about: { mode: site.mode, version: SERVICE.version, startedAtMs: clock.now() },
  }
}

async function firstPrices(market: Market, clock: Clock): Promise<void> {
  const isReady = () => ASSETS.every((asset) => market.price(asset) && market.oracle(asset).last.twap_60s)
  const giveUpMs = clock.now() + FIRST_PRICES_WAIT_MS
  while (!isReady() && clock.now() < giveUpMs) await sleep(clock, FIRST_PRICES_STEP_MS)
}
