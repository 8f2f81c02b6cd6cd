import { randomBytes } from 'node:crypto'
import type { Config } from '../config/config.ts'
import type { Log } from '../core/log.ts'
import type { Clock } from '../core/time/clock.ts'
import { choosePort } from '../http/listen.ts'
import { openChains } from './chains.ts'
import { openCounters } from './counters.ts'
import { openLedger } from './ledger/open-ledger.ts'
import { takeLead } from './ledger/take-lead.ts'
import { startCounting } from './metrics/open-metrics.ts'
import { openOutsideWorld } from './outside-world.ts'
import { openPayments } from './payments.ts'
import { createReadiness } from './readiness.ts'
import { openKnown } from './roles/open-known.ts'
import { publishEngine } from './roles/publishing.ts'
import { standBy } from './roles/stand-by.ts'
import type { Stops } from './stops.ts'

export type GroundInput = {
  config: Config
  log: Log
  clock: Clock
  /** Aborted when the process is told to stop. */
  told?: AbortSignal | undefined
}
export type Ground = Awaited<ReturnType<typeof openGround>>

const BOOT_ID_BYTES = 6

/** What needs no public address: ledger, keys, counters, the outside world, what is known of it, and the ways to be paid. */
export async function openGround(input: GroundInput, stops: Stops) {
  const { config, log, clock } = input
  const bootId = randomBytes(BOOT_ID_BYTES).toString('hex')
  const port = await choosePort(config.host, config.port)
  const { ledger, store, counts } = await openBooks(input, stops)
  const { isShared, leadership } = ledger
  // Only whoever leads makes keys. One that stands by without the key that is there could not take the lead.
  const mayOpen = config.role !== 'engine' || (await ledger.findSigner()) !== undefined
  const early = mayOpen ? await ledger.openKey() : undefined
  const world = await openOutsideWorld(config, clock, log)
  stops.push(world.close)
  const all = await openKnown({ config, world, store, clock, log })
  const { own, known } = all
  stops.push(known.stop)
  const vacate =
    own && leadership && config.role === 'engine'
      ? await standBy({ ...input, port, leadership, warm: own.warm }, stops)
      : undefined
  const publishing =
    own && leadership && vacate
      ? await publishEngine({ config, clock, log, store, leadership, engine: own })
      : undefined
  // Before anything else that takes its time: the next one leads then.
  stops.push(async () => (publishing ? publishing.stop() : leadership?.close()))
  // It may have been replaced while this process stood by.
  const key = early && !vacate ? early : await ledger.openKey()
  const counters = await openCounters({ config, clock, log, store })
  stops.push(counters.close)
  const { money } = world
  const chains = openChains({ clock, config, rpc: money.rpc })
  const [payments] = await Promise.all([
    openPayments({
      ...{ clock, log, store, money, chains, isShared },
      mode: config.mode,
      onOpen: counts?.countOpen,
    }),
    known.start(),
  ])
  // One of the role all sells on.
  const leads = leadership && vacate ? () => leadership.term() !== undefined : undefined
  const readiness = createReadiness({ clock, store, leads })
  return {
    ...all,
    ...{ store, counts, counters, leadership, readiness, key, vacate, publishing, leads },
    ...{ money, chains, payments, port, bootId },
  }
}

/** What is kept. A process that does everything is alone on its ledger. */
async function openBooks({ config, log, clock }: GroundInput, stops: Stops) {
  const ledger = await openLedger({ config, log, clock })
  stops.push(ledger.close)
  if (ledger.leadership && config.databaseUrl && config.role === 'all')
    await takeLead(ledger.leadership, config.databaseUrl.reveal())
  const counts = startCounting(config)
  const store = counts?.watchStore(ledger.store) ?? ledger.store
  return { ledger, store, counts }
}
