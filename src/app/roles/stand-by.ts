import { createServer } from 'node:http'
import type { Config } from '../../config/config.ts'
import type { Log } from '../../core/log.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { Clock } from '../../core/time/clock.ts'
import { SECOND_MS } from '../../core/time/time.ts'
import { answerAside, probes } from '../../http/aside.ts'
import { listen } from '../../http/listen.ts'
import { failureReply } from '../../http/reply.ts'
import type { Leadership } from '../../ledger/postgres/leader/leadership.ts'
import { openStandbyMetrics } from '../metrics/standby-metrics.ts'
import type { Stops } from '../stops.ts'

type Ports = {
  config: Pick<Config, 'host' | 'metrics' | 'mode'>
  clock: Clock
  port: number
  log: Log
  leadership: Leadership
  /** Aborted when the process is told to stop. */
  told?: AbortSignal | undefined
  /** Follows the market meanwhile, so that others are told of it as soon as this process leads. */
  warm: () => Promise<void>
}

/** Not a failure: whoever stands by is told to stop like any other. */
export class ToldToStop extends Error {
  constructor() {
    super('told to stop while it stood by')
    this.name = 'ToldToStop'
  }
}

const ANOTHER_LEADS = 'standing by: another engine leads'
const NOBODY_KNOWS = 'standing by: the database cannot be asked who leads'
const RETRY_AFTER_S = 2
const LIMITS = { headersTimeout: 5_000, requestTimeout: 10_000, connectionsCheckingInterval: 1_000 }

/**
 * Waits until this process leads, however long that takes. Meanwhile its port says that it lives and is not ready, and so
 * it does until the returned function frees the port for the shop.
 */
export async function standBy(ports: Ports, stops: Stops): Promise<() => Promise<void>> {
  const { config, port, log, leadership, told, warm } = ports
  let isStarting = false
  const reason = () => (isStarting ? 'starting' : leadership.isAnswered() ? ANOTHER_LEADS : NOBODY_KNOWS)
  const metrics = await openStandbyMetrics(ports)
  stops.push(metrics.stop)
  const aside = new Map([...probes(async () => [reason()]), ...metrics.aside])
  const server = createServer(LIMITS, async (raw, response) => {
    const reply = (await answerAside(aside, raw, '')) ?? failureReply(refusal(reason()), 'none')
    const length = ['Content-Length', String(reply.bytes)]
    response.writeHead(reply.status, [...reply.headers, ...length])
    response.end(raw.method === 'HEAD' ? '' : reply.body)
  })
  await listen(server, config.host, port)
  const vacate = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  stops.push(vacate)
  // Whoever starts it for good hears of its failure.
  warm().catch(() => {})
  // Where nobody leads it takes no longer than this, and no line is needed.
  if (!(await leadership.won(SECOND_MS))) {
    log.info({ leader: leadership.leader()?.holder }, reason())
    await Promise.race([leadership.won(), untilTold(told)])
  }
  if (told?.aborted) throw new ToldToStop()
  await metrics.stop()
  isStarting = true
  return vacate
}

const refusal = (reason: string) =>
  new ServiceError('upstream_unavailable', reason, {
    retryAfterS: RETRY_AFTER_S,
    hint: 'ask another process of this service; /readyz tells which are ready',
  })

const untilTold = (told: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    if (told?.aborted) return resolve()
    told?.addEventListener('abort', () => resolve(), { once: true })
  })
