import type { Config } from '../../config/config.ts'
import { SERVICE } from '../../core/service.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { Aside } from '../../http/aside.ts'
import { drain } from '../../http/connection/drain.ts'
import { listen } from '../../http/listen.ts'
import { serviceFamilies } from './families/of-service.ts'
import { createScrape } from './scrape.ts'
import { createMetricsServer, metricsAside } from './serve-metrics.ts'

type Ports = { config: Pick<Config, 'metrics' | 'mode'>; clock: Clock }
/** `stop` frees the port, where they have one. */
export type StandbyMetrics = { aside: Aside; stop(): Promise<void> }

const OFF: StandbyMetrics = { aside: new Map(), stop: async () => {} }

/** Of a process that stands by: that it is there, and not ready. On the port, or behind the token, that they will have. */
export async function openStandbyMetrics({ config, clock }: Ports): Promise<StandbyMetrics> {
  const { host, port, token } = config.metrics
  if (port === undefined && !token) return OFF
  const scrape = await createScrape({
    clock,
    asked: {},
    families: () =>
      serviceFamilies({
        about: { mode: config.mode, version: SERVICE.version },
        isReady: () => false,
        isStandingBy: true,
        checks: () => [],
        uptime: () => NOTHING_MEASURED,
      }),
  })
  const aside = metricsAside(scrape, token, () => {})
  if (port === undefined) return { ...OFF, aside }
  const server = createMetricsServer(aside)
  await listen(server, host, port)
  return { ...OFF, stop: () => drain(server) }
}

const NOTHING_MEASURED = { fromDay: 0, toDay: 0, measuredMs: undefined, parts: [], incidents: [] }
