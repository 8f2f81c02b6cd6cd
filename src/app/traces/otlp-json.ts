import type { Attributes, Span } from './span.ts'

/** Who sends the spans. */
export type Resource = Attributes

const SCOPE = { name: 'tollbook' }
const STATUS_ERROR = { code: 2 }
/** Flags of a span: sampled, and whether its parent is known to be remote or not. */
const SAMPLED = 0x01
const SAYS_WHETHER_REMOTE = 0x100
const REMOTE = 0x200

/** An `ExportTraceServiceRequest` as OTLP writes it in JSON: ids in hex, numbers of 64 bits as text, kinds as numbers. */
export function toExportRequest(resource: Resource, spans: readonly Span[]) {
  return {
    resourceSpans: [
      {
        resource: { attributes: toAttributes(resource) },
        scopeSpans: [{ scope: SCOPE, spans: spans.map(toSpan) }],
      },
    ],
  }
}

const toSpan = (span: Span) => ({
  traceId: span.traceId,
  spanId: span.spanId,
  parentSpanId: span.parentSpanId,
  flags: SAMPLED | SAYS_WHETHER_REMOTE | (span.isParentRemote ? REMOTE : 0),
  name: span.name,
  kind: span.kind,
  startTimeUnixNano: toNanos(span.startMs),
  endTimeUnixNano: toNanos(span.endMs),
  attributes: toAttributes(span.attributes),
  status: span.isError ? STATUS_ERROR : {},
})

/** To the microsecond: a number holds no more of a time since the epoch. */
const toNanos = (ms: number): string => `${Math.round(ms * 1_000)}000`

const toAttributes = (attributes: Attributes) =>
  Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined
      ? []
      : [{ key, value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value } }],
  )
