import type { Config } from '../../config/config.ts'
import type { Log } from '../../core/log.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { Store } from '../../ledger/ports/store.ts'
import type { Leadership } from '../../ledger/postgres/leader/leadership.ts'
import type { PublicRecord } from '../../products/record/services.ts'
import type { HealthReport } from '../../products/service/services.ts'
import type { Chains } from '../chains.ts'
import type { OpenCounters } from '../counters.ts'
import type { Payments } from '../payments.ts'
import type { Known } from '../roles/known.ts'
import { createUptimeKeeper, type UptimeKeeper } from '../uptime/uptime-keeper.ts'
import { createUptimeReader } from '../uptime/uptime-reader.ts'
import { createHealth } from './health-report.ts'
import { createWatches, type Watches } from './watches.ts'

type Parts = {
  config: Config
  clock: Clock
  log: Log
  store: Pick<Store, 'ping' | 'uptime'>
  chains: Chains
  payments: Pick<Payments, 'pool' | 'payable'>
  known: Known
  record: Pick<PublicRecord, 'latest'>
  counters: Pick<OpenCounters, 'ping'>
  leadership: Leadership | undefined
}
export type OpenHealth = { watches: Watches; health(): Promise<HealthReport>; uptime: UptimeKeeper }

/** What is asked in the background, what `/health` says of it, and what is kept of that. */
export function openHealth(parts: Parts): OpenHealth {
  const { config, clock, log, store, chains, payments, known, record, counters, leadership } = parts
  const { open, venue, history, trading, intel, missing } = known
  const watches = createWatches({ ...{ config, clock, log, store, chains }, ...payments })
  const health = createHealth({
    ...{ ...open, clock, store, record, watches, chains, history },
    ...{ bot: trading.bot, pingRedis: counters.ping, leadership, missing },
    ...{ facilitators: payments.pool, payable: payments.payable, isEmbedded: !config.databaseUrl },
    upstreams: () => [...venue.counters(), ...trading.counters(), ...intel.counters()],
    fiveMinute: venue.fiveMinute,
  })
  const keep = { clock, log, book: store.uptime }
  const uptime = config.role === 'api' ? createUptimeReader(keep) : createUptimeKeeper({ ...keep, health })
  return { watches, health, uptime }
}
