import { createPageViewCounter } from '../access/page-views.ts'
import type { Site } from '../catalog/site.ts'
import { sleep } from '../core/time/clock.ts'
import { probes } from '../http/aside.ts'
import { readKeyChanges } from '../record/log/key-change.ts'
import { type Ground, type GroundInput, openGround } from './ground.ts'
import { openHealth } from './health/open-health.ts'
import { createLeaderWork } from './leader-work.ts'
import { explainStartFault } from './ledger/explain-start-fault.ts'
import { openLive } from './live.ts'
import { openMetrics } from './metrics/open-metrics.ts'
import { createOperatorServices, type OperatorParts, type ShopParts } from './operator/operator.ts'
import { type FirstKey, makeFirstKey } from './operator-access.ts'
import { followRecord, type KeptRecord, openRecord } from './record.ts'
import { serveShop } from './serve-shop.ts'
import { createServices, type GroupServices } from './services.ts'
import { openShop } from './shop.ts'
import { openAccess } from './sign-in.ts'
import { describeSite, ownPaths } from './site.ts'
import type { Stops } from './stops.ts'

export type App = {
  site: Site
  services: GroupServices
  firstKey: FirstKey | undefined
  /** Makes the documents that nobody asked for yet; until then the first who asks waits for them. */
  prepareDocuments(): Promise<void>
  /** Tells whoever asks `/readyz` that it is about to stop, and serves on until load balancers had time to hear it. */
  announceStop(): Promise<void>
  /** Aborted where it must stop by itself; its reason says why. */
  mustStop: AbortSignal
  stop(): Promise<void>
}
export type AppInput = GroundInput

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
    throw explainStartFault(input.config, error)
  }
}

async function start(input: AppInput, stops: Stops): Promise<Omit<App, 'stop'>> {
  const { config, log, clock } = input
  const ground = await openGround(input, stops)
  const { store, counts, counters, readiness, key, own, known } = ground
  const { money, chains, payments, port, bootId } = ground
  const { open, venue, trading, intel } = known
  const site = describeSite({ config, port, money, payment: payments.terms, clock })
  const { reconcile, finality, claimTransfers, ...till } = payments.open(site, key)
  const keeper = openKeptRecord(input, ground)
  const record = keeper.reader
  const opened = openHealth({ ...ground, config, clock, log, record })
  const { watches, health, uptime } = opened
  stops.push(watches.stop)
  const pageViews = createPageViewCounter({ clock, log: store.pageViews, own: ownPaths(site.catalog) })
  const live = openLive({ config, clock, log, open, venue, trading, record })
  stops.push(pageViews.stop, live.stop)
  const services = createServices({
    ...{ config, clock, site, open, venue, record, intel, health, money, live },
    uptime: uptime.report,
    community: { watercooler: store.watercooler, pageViews },
    ...trading,
  })
  const { sourceOf } = services.market
  const access = await openAccess({
    ...{ config, clock, store, calls: counters.calls, base: chains.base, sourceOf },
    baseUrl: site.baseUrl,
    facts: intel.tokens.facts,
  })
  const shop = openShop({
    ...{ clock, site, store, key, money, payments, claimTransfers, services },
    ...{ keyChanges: await readKeyChanges(store.record), account: access.account },
    chatWriter: intel.chatWriter,
    operator: operatorOf(input, ground, { health, sourceOf }),
  })

  await Promise.all([reconcile.recover(), finality.recover(), watches.start()])
  const metrics = await openMetrics({ ...ground, config, clock, log, health: opened, bot: own?.trading.bot })
  stops.push(metrics.stop)
  const server = await serveShop({
    ...{ config, clock, log, site, port, key, store, shop, access, counts, bootId, ...till },
    ...{ counters, vacate: ground.vacate, isEngine: own !== undefined, leads: ground.leads },
    aside: new Map([...probes(readiness.reasons), ...metrics.aside]),
  })
  const deciders = { reconcile, finality }
  const deciding = own ? payments.deciding(deciders) : payments.following(deciders)
  const trade = { start: known.start, stop: own?.rest ?? known.stop }
  const work = createLeaderWork([trade, deciding, uptime, keeper])
  stops.push(payments.sell(), work.stop, server.close)
  // A record of years takes seconds to read: all else is sold meanwhile, and only the ready line waits for it.
  await work.start()
  const firstKey = own && (await makeFirstKey({ config, clock, log, store }))
  readiness.started(config.databaseUrl ? undefined : watches.disk)
  ground.publishing?.begin()
  stops.push(readiness.drain)
  const announceStop = () => {
    readiness.drain()
    server.retire()
    return sleep(clock, config.drainMs)
  }
  return {
    site,
    services: shop.services,
    firstKey,
    prepareDocuments: server.prepareDocuments,
    announceStop,
    mustStop: mustStopOf(ground, keeper),
  }
}

/** Kept here, and told to others where there are some, or followed as the engine keeps it. */
function openKeptRecord({ config, clock, log }: AppInput, ground: Ground): KeptRecord {
  const { store, key, money, publishing } = ground
  const ports = { clock, log, store, key, mode: config.mode }
  if (ground.followed) return followRecord({ ...ports, onRecord: ground.followed.onRecord })
  const { own } = ground
  const keeper = openRecord({ ...ports, open: own.open, money })
  publishing?.tellRecord(keeper.reader)
  return keeper
}

function mustStopOf({ leadership, publishing }: Ground, { otherKey }: KeptRecord): AbortSignal {
  const stop = new AbortController()
  const stopAt = (signal: AbortSignal | undefined, why: string) => {
    if (signal?.aborted) stop.abort(why)
    signal?.addEventListener('abort', () => stop.abort(why), { once: true })
  }
  for (const lost of [leadership?.lost, publishing?.over])
    stopAt(lost, 'another process leads in the place of this one')
  stopAt(otherKey, 'the service key was replaced, and this process signs with the one before')
  return stop.signal
}

/** Undefined where the engine answers the operator. */
const operatorOf = (
  { config, clock }: AppInput,
  { own, store }: Ground,
  more: Pick<OperatorParts, 'health' | 'sourceOf'>,
) =>
  own &&
  ((made: ShopParts) =>
    createOperatorServices(
      { ...own.open, ...own.venue, ...own.trading, config, clock, store, ...more },
      made,
    ))
