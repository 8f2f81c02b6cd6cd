import { randomBytes } from 'node:crypto'
import { createPageViewCounter } from '../access/page-views.ts'
import { createRateCounters } from '../access/rate-counters.ts'
import type { Site } from '../catalog/site.ts'
import type { Config } from '../config/config.ts'
import type { Log } from '../core/log.ts'
import type { Clock } from '../core/time/clock.ts'
import { choosePort } from '../http/server.ts'
import { findSigner } from '../ledger/files/find-signer.ts'
import { ledgerPath } from '../ledger/files/ledger-file.ts'
import { openServiceKey } from '../payments/receipts/service-key.ts'
import { readKeyChanges } from '../record/log/key-change.ts'
import { openEngine } from './engine.ts'
import { createHealth } from './health/health-report.ts'
import { createWatches } from './health/watches.ts'
import { explainStartFault } from './ledger/explain-start-fault.ts'
import { openLedger } from './ledger/open-ledger.ts'
import { createOperatorServices } from './operator/operator.ts'
import { type FirstKey, makeFirstKey } from './operator-access.ts'
import { openOutsideWorld } from './outside-world.ts'
import { openPayments } from './payments.ts'
import { openRecord } from './record.ts'
import { serveShop } from './serve-shop.ts'
import { createServices, type GroupServices } from './services.ts'
import { openShop } from './shop.ts'
import { openAccess } from './sign-in.ts'
import { describeSite, ownPaths } from './site.ts'

export type App = {
  site: Site
  services: GroupServices
  firstKey: FirstKey | undefined
  stop(): Promise<void>
}
export type AppInput = { config: Config; log: Log; clock: Clock }
type Stops = (() => Promise<void> | void)[]

const BOOT_ID_BYTES = 6

/** Puts every part together; the only place that knows them all. Stops in reverse order of start. */
export async function startApp(input: AppInput): Promise<App> {
  const stops: Stops = []
  const stop = async () => {
    for (const each of stops.splice(0).reverse()) await each()
  }
  try {
    const app = await start(input, stops)
    return { ...app, stop }
  } catch (error) {
    await stop()
    throw explainStartFault(input.config.dataDir, error)
  }
}

async function start({ config, log, clock }: AppInput, stops: Stops): Promise<Omit<App, 'stop'>> {
  const bootId = randomBytes(BOOT_ID_BYTES).toString('hex')
  const { store, close } = await openLedger({ config, log, clock })
  stops.push(close)
  const key = openServiceKey(config.dataDir, findSigner(ledgerPath(config.dataDir)), clock.now())
  const world = await openOutsideWorld(config, clock, log)
  stops.push(world.close)
  const { money } = world
  const engine = await openEngine({ config, world, store, clock, log })
  stops.push(engine.stop)
  const { open, venue, history, trading, intel } = engine
  const [payments, port] = await Promise.all([
    openPayments({ clock, log, store, money, bootId, mode: config.mode }),
    choosePort(config.host, config.port),
    engine.start(),
  ])

  const site = describeSite({ config, port, money, payment: payments.terms, clock })
  const { sell, readPayment, reconcile, claimTransfers } = payments.open(site.baseUrl, key)
  const keeper = openRecord({ clock, log, store, key, mode: config.mode, open, money })
  const record = keeper.reader
  const watches = createWatches({ config, clock, log, money, pool: payments.pool })
  stops.push(watches.stop)
  const health = createHealth({
    ...{ ...open, clock, store, record, watches, history },
    bot: trading.bot,
    facilitators: payments.pool,
    upstreams: () => [...venue.counters(), ...trading.counters(), ...intel.counters()],
    fiveMinute: venue.fiveMinute,
  })
  const pageViews = createPageViewCounter({ clock, log: store.pageViews, own: ownPaths(site.catalog) })
  stops.push(pageViews.stop)
  const services = createServices({
    ...{ config, clock, site, open, venue, record, intel, health, money },
    community: { watercooler: store.watercooler, pageViews },
    ...trading,
  })
  const { sourceOf } = services.market
  const access = await openAccess({
    ...{ config, clock, store, money, sourceOf },
    baseUrl: site.baseUrl,
    facts: intel.tokens.facts,
  })
  const counters = createRateCounters({ clock })
  const keyChanges = await readKeyChanges(store.record)
  const shop = openShop({
    ...{ clock, site, store, key, keyChanges, money, payments, claimTransfers, counters, services },
    account: access.account,
    chatWriter: intel.chatWriter,
    operator: (made) =>
      createOperatorServices({ ...open, ...venue, ...trading, config, clock, store, health, sourceOf }, made),
  })

  await Promise.all([reconcile.recover(), watches.start()])
  const server = await serveShop({
    ...{ config, clock, log, site, port, key, store, shop, access, sell, readPayment, counters, bootId },
  })
  stops.push(payments.run(reconcile), server.close, keeper.stop)
  // A record of years takes seconds to read: all else is sold meanwhile, and only the ready line waits for it.
  await keeper.start()
  return { site, services: shop.services, firstKey: await makeFirstKey({ config, clock, log, store }) }
}
