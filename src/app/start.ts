import { randomBytes } from 'node:crypto'
import { createClientKey } from '../access/client-key.ts'
import { createDemoBudget } from '../access/demo-budget.ts'
import type { Site } from '../catalog/document.ts'
import { createReplies } from '../catalog/encoded-reply.ts'
import { createPaidMint } from '../catalog/paid.ts'
import type { Services } from '../catalog/services.ts'
import type { Config } from '../config/config.ts'
import type { Clock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import { createFindOffer } from '../http/respond/find-offer.ts'
import { choosePort, createHttpServer, drain, listen, serveCatalog } from '../http/server.ts'
import { ledgerPath } from '../ledger/files/ledger-file.ts'
import { holdServiceLock } from '../ledger/files/service-lock.ts'
import { openSqliteStore } from '../ledger/sqlite/store.ts'
import { createChallenges } from '../payments/challenge/challenge.ts'
import { createGate } from '../payments/gate/gate.ts'
import { createOffers } from '../payments/receipts/offers.ts'
import { openServiceKey } from '../payments/receipts/service-key.ts'
import { createHealth } from './health/health-report.ts'
import { hearFirst, openMarket } from './market.ts'
import { openOutsideWorld } from './outside-world.ts'
import { openPayments } from './payments.ts'
import { openRecord } from './record.ts'
import { createServices } from './services.ts'
import { describeSite } from './site.ts'

export type App = { site: Site; services: Services; stop(): Promise<void> }
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
    throw error
  }
}

async function start({ config, log, clock }: AppInput, stops: Stops): Promise<Omit<App, 'stop'>> {
  const lock = holdServiceLock(config.dataDir)
  stops.push(lock.release)
  const store = openSqliteStore(ledgerPath(config.dataDir), { clock })
  stops.push(store.close)
  const surroundings = await openOutsideWorld(config, clock, log)
  stops.push(surroundings.close)
  const bootId = randomBytes(BOOT_ID_BYTES).toString('hex')
  const open = openMarket({ surroundings, clock, log })
  stops.push(open.stop)
  const [payments, demo, port] = await Promise.all([
    openPayments({ clock, log, store, money: surroundings.money, bootId }),
    createDemoBudget({ clock, counters: store.demo, ...config.demo }),
    choosePort(config.host, config.port),
    hearFirst(open, clock),
  ])

  const site = describeSite(config, port, payments.terms, clock)
  const key = openServiceKey(config.dataDir)
  const { sell, readPayment, reconcile, claimTransfers } = payments.open(site.baseUrl, key)
  const { mint, redeem } = createPaidMint()
  const keeper = openRecord({ clock, log, store, key, open, money: surroundings.money })
  const record = keeper.reader
  const health = createHealth({ ...open, clock, store, record, facilitators: payments.pool })
  const parts = { config, site, clock, health, store, payments, key, surroundings, record }
  const services = createServices({ ...parts, ...open })
  const replies = createReplies(services, redeem)
  services.payments.claimTransfer = claimTransfers({
    mint,
    findOffer: createFindOffer(site.catalog, replies),
  })
  const challenges = createChallenges({ ...site, clock, offers: createOffers({ key, clock }) })
  const gate = createGate({ clock, mint, challenges, demo, readPayment, sell })

  await reconcile.recover()
  const server = createHttpServer()
  const clientKey = createClientKey(config.trustedProxies)
  serveCatalog(server, site.catalog, {
    clock,
    site,
    replies,
    gate,
    clientKey,
    log,
    bootId,
    usage: store.usage,
  })
  await listen(server, config.host, port)
  stops.push(payments.run(reconcile), () => drain(server), keeper.stop)
  // A record of years takes seconds to read: all else is sold meanwhile, and only the ready line waits for it.
  await keeper.start()
  return { site, services }
}
