import type { Bot } from '../../bot/bot.ts'
import type { Config } from '../../config/config.ts'
import type { Log } from '../../core/log.ts'
import { SERVICE } from '../../core/service.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { Aside } from '../../http/aside.ts'
import { drain } from '../../http/connection/drain.ts'
import { listen } from '../../http/listen.ts'
import type { Store } from '../../ledger/ports/store.ts'
import type { Leadership } from '../../ledger/postgres/leader/leadership.ts'
import type { Chains } from '../chains.ts'
import type { OpenHealth } from '../health/open-health.ts'
import type { Payments } from '../payments.ts'
import type { Readiness } from '../readiness.ts'
import type { Known } from '../roles/known.ts'
import { traceStore } from '../traces/trace-store.ts'
import { botFamilies } from './families/of-bot.ts'
import { dataFamilies } from './families/of-data.ts'
import { moneyFamilies } from './families/of-money.ts'
import { serviceFamilies } from './families/of-service.ts'
import type { Family } from './family.ts'
import { type Answered, createScrape } from './scrape.ts'
import { createMetricsServer, METRICS_PATH, metricsAside } from './serve-metrics.ts'
import { createTally } from './tally.ts'
import { createWorkCounts, type WorkCounts } from './work-counts.ts'

type Parts = {
  config: Config
  clock: Clock
  log: Log
  /** Undefined where metrics are off. */
  counts: WorkCounts | undefined
  store: Pick<Store, 'payments' | 'finality' | 'usage'>
  readiness: Readiness
  chains: Chains
  payments: Pick<Payments, 'pool' | 'payable' | 'refused'>
  known: Known
  /** Undefined where another process has it. */
  bot: Pick<Bot, 'status'> | undefined
  health: OpenHealth
  leadership: Leadership | undefined
}
export type OpenMetrics = {
  /** For the public port, where they have none of their own. */
  aside: Aside
  stop(): Promise<void>
}

/** Counting begins before anything else does, and only where somebody may ask for it. Traces see the ledger by the same way. */
export function startCounting(config: Pick<Config, 'metrics' | 'traces'>): WorkCounts | undefined {
  const counts = areServed(config) ? createWorkCounts() : undefined
  if (!config.traces) return counts
  const watchStore = (store: Store) => traceStore(counts?.watchStore(store) ?? store)
  return { families: [], ...counts, watchStore }
}

const areServed = ({ metrics }: Pick<Config, 'metrics'>) =>
  metrics.port !== undefined || metrics.token !== undefined

const OFF: OpenMetrics = { aside: new Map(), stop: async () => {} }

/** On a port of their own, or on the public one behind a token. */
export async function openMetrics(parts: Parts): Promise<OpenMetrics> {
  const { config, clock, log, counts } = parts
  if (!counts || !areServed(config)) return OFF
  const { host, port, token } = config.metrics
  const refused = createTally<never>('tollbook_scrapes_refused_total', 'Scrapes without the right token')
  const scrape = await createScrape({
    clock,
    asked: questions(parts),
    families: (answered) => [...counts.families, refused, ...familiesOf(parts, answered)],
  })
  const aside = metricsAside(scrape, token, () => refused.add({}))
  if (port === undefined) return { ...OFF, aside }
  const server = createMetricsServer(aside)
  log.info({ host, port: await listen(server, host, port), path: METRICS_PATH }, 'metrics are served')
  return { ...OFF, stop: () => drain(server) }
}

type Questions = ReturnType<typeof questions>
type Answers = { [Part in keyof Questions]: Awaited<ReturnType<Questions[Part]>> }

/** All that a scrape waits for. None of it takes longer because more was sold. */
const questions = ({ health, store, readiness }: Parts) => ({
  health: () => health.health(),
  sales: () => store.payments.overview([]),
  finality: () => store.finality.overview(),
  reasons: () => readiness.reasons(),
})

function familiesOf(parts: Parts, answered: Answered<Answers>): Family[] {
  const { config, clock, chains, payments, known, bot, health, leadership } = parts
  const { open, venue, trading, intel } = known
  const nowMs = () => clock.now()
  return [
    ...serviceFamilies({
      about: { mode: config.mode, version: SERVICE.version },
      isReady: () => answered().reasons && answered().reasons?.length === 0,
      isStandingBy: false,
      checks: () => answered().health?.checks ?? [],
      ...{ uptime: health.uptime.report, leadership },
    }),
    ...moneyFamilies({
      ...{ ...payments, nowMs, chains: [chains.base, chains.solana] },
      sales: () => answered().sales,
      undone: () => answered().finality?.undone,
    }),
    ...dataFamilies({
      nowMs,
      market: open.market,
      streams: () => open.feeds.health().streams,
      upstreams: () => [...venue.counters(), ...trading.counters(), ...intel.counters()],
    }),
    ...(bot ? botFamilies({ nowMs, bot }) : []),
  ]
}
