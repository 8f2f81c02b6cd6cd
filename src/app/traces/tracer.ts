import type { Clock } from '../../core/time/clock.ts'
import type { RequestEnd, TraceRequest } from '../../http/request-trace.ts'
import { type OpenTrace, runIn } from './current.ts'
import type { Sampler } from './sampler.ts'
import { type Attributes, KIND, newSpanId, newTraceId, type Span } from './span.ts'
import { findTraceParent } from './traceparent.ts'

type Ports = {
  clock: Clock
  isTraced: Sampler
  add(span: Span): void
  /** A span that its trace has no room for. */
  onFull(): void
}

/** More than any request makes. What goes round in circles must not fill the queue alone. */
export const MAX_SPANS_OF_TRACE = 256
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT'])
/** As OpenTelemetry calls a method that is none of these: callers write what they like. */
const OTHER_METHOD = '_OTHER'

/** A span for each request that is chosen, and one trace for all that is done to answer it. */
export function createTracer({ clock, isTraced, add, onFull }: Ports): TraceRequest {
  return (raw, given) => {
    const parent = findTraceParent(raw.headers.traceparent)
    const id = parent?.traceId ?? newTraceId()
    if (!isTraced(id, parent)) return undefined
    const spanId = newSpanId()
    const method = METHODS.has(given) ? given : OTHER_METHOD
    const time = createTime(clock)
    const startMs = time()
    let [isOver, spans] = [false, 0]
    const trace: OpenTrace = {
      id,
      nowMs: time,
      isOver: () => isOver,
      add: (span) => (++spans < MAX_SPANS_OF_TRACE ? add(span) : onFull()),
    }
    return {
      id,
      run: (work) => runIn({ trace, spanId }, work),
      end(ended) {
        isOver = true
        add({
          ...{ traceId: id, spanId, parentSpanId: parent?.spanId, isParentRemote: parent !== undefined },
          ...{ name: nameOf(method, ended), kind: KIND.server, startMs, endMs: time() },
          ...{ attributes: describe(method, ended), isError: ended.status >= 500 },
        })
      },
    }
  }
}

/** Milliseconds since the epoch that never go back, with fractions. */
function createTime(clock: Clock): () => number {
  const offsetMs = clock.now() - performance.now()
  return () => offsetMs + performance.now()
}

function nameOf(method: string, { route }: RequestEnd): string {
  const shown = method === OTHER_METHOD ? 'HTTP' : method
  return route ? `${shown} ${route.path}` : shown
}

const describe = (method: string, { route, status, via, code }: RequestEnd): Attributes => ({
  'http.request.method': method,
  'http.route': route?.path,
  'http.response.status_code': status,
  'error.type': status >= 500 ? (code ?? String(status)) : undefined,
  'tollbook.endpoint': route?.endpoint.id,
  'tollbook.via': via,
  'tollbook.code': code,
})
