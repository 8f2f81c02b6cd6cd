import type { Config } from '../../config/config.ts'
import { findHeaderList } from '../../config/header-list.ts'
import type { Mode } from '../../config/variables/variable.ts'
import type { Log } from '../../core/log.ts'
import { SERVICE } from '../../core/service.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { TraceRequest } from '../../http/request-trace.ts'
import { createCollectorTrouble } from './collector-trouble.ts'
import { createSampler } from './sampler.ts'
import { createSendSpans } from './send-spans.ts'
import { type CountSpans, createSpanExporter } from './span-exporter.ts'
import { createTracer } from './tracer.ts'

type Ports = {
  traces: NonNullable<Config['traces']>
  mode: Mode
  /** Of this run of the process. */
  bootId: string
  clock: Clock
  log: Log
  count: CountSpans | undefined
}
export type OpenTraces = {
  traceRequest: TraceRequest
  /** Sends what waits, for a bounded time. */
  stop(): Promise<void>
}

/** Traces to the collector of the configuration. */
export function openTraces({ traces, mode, bootId, clock, log, count = () => {} }: Ports): OpenTraces {
  const { url, headers, serviceName, share } = traces
  const exporter = createSpanExporter({
    ...{ clock, random: Math.random, count, trouble: createCollectorTrouble(clock, log) },
    resource: {
      'service.name': serviceName,
      'service.version': SERVICE.version,
      'service.instance.id': bootId,
      'deployment.environment.name': mode,
    },
    send: createSendSpans({ url, headers: findHeaderList(headers?.reveal() ?? '') ?? [], nowMs: clock.now }),
  })
  log.info({ host: new URL(url).host, share }, 'traces are sent')
  return {
    traceRequest: createTracer({
      ...{ clock, isTraced: createSampler(clock, share), add: exporter.add },
      onFull: () => count('trace_full', 1),
    }),
    stop: exporter.stop,
  }
}
