import { randomBytes } from 'node:crypto'
import type { Config } from '../config/config.ts'
import type { Log } from '../core/log.ts'
import type { Clock } from '../core/time/clock.ts'
import { choosePort } from '../http/server.ts'
import { openChains } from './chains.ts'
import { openCounters } from './counters.ts'
import { openEngine } from './engine.ts'
import { openLedger } from './ledger/open-ledger.ts'
import { takeLead } from './ledger/take-lead.ts'
import { startCounting } from './metrics/open-metrics.ts'
import { openOutsideWorld } from './outside-world.ts'
import { openPayments } from './payments.ts'
import { createReadiness } from './readiness.ts'

type GroundInput = { config: Config; log: Log; clock: Clock }
/** What is to be called at the end, the last one first. */
export type Stops = (() => Promise<void> | void)[]

const BOOT_ID_BYTES = 6

/** What needs no public address: ledger, keys, counters, the outside world, what follows it, and the ways to be paid. */
export async function openGround(input: GroundInput, stops: Stops) {
  const { config, log, clock } = input
  const bootId = randomBytes(BOOT_ID_BYTES).toString('hex')
  const { ledger, store, counts, key, counters } = await openBooks(input, stops)
  const { isShared, leadership } = ledger
  const readiness = createReadiness({ clock, store })
  const world = await openOutsideWorld(config, clock, log)
  stops.push(world.close)
  const { money } = world
  const chains = openChains({ clock, config, rpc: money.rpc })
  const engine = await openEngine({ config, world, store, clock, log })
  stops.push(engine.stop)
  const [payments, port] = await Promise.all([
    openPayments({
      clock,
      log,
      store,
      money,
      chains,
      mode: config.mode,
      isShared,
      onOpen: counts?.countOpen,
    }),
    choosePort(config.host, config.port),
    engine.start(),
  ])
  return {
    ...{ store, counts, counters, leadership, readiness, key },
    money,
    chains,
    engine,
    payments,
    port,
    bootId,
  }
}

/** What is kept, and where it is counted. A process that does everything is alone on its ledger. */
async function openBooks({ config, log, clock }: GroundInput, stops: Stops) {
  const ledger = await openLedger({ config, log, clock })
  stops.push(ledger.close)
  if (ledger.leadership && config.databaseUrl) await takeLead(ledger.leadership, config.databaseUrl.reveal())
  const counts = startCounting(config)
  const store = counts?.watchStore(ledger.store) ?? ledger.store
  const key = await ledger.openKey()
  const counters = await openCounters({ config, clock, log, store })
  stops.push(counters.close)
  return { ledger, store, counts, key, counters }
}
