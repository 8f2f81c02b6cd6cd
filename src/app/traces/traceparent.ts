/** Who called, by the W3C's Trace Context. */
export type TraceParent = { traceId: string; spanId: string; isSampled: boolean }

const LENGTH = 55
/** A later version may say more behind a dash. */
const MAX_LENGTH = 256
const FIELDS = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-[\x21-\x7e]*)?$/
const NO_VERSION = 'ff'
const ZEROS = /^0+$/
const SAMPLED = 1

/** Undefined for whatever is not exactly a `traceparent`, also for two of them, which Node joins with a comma. */
export function findTraceParent(header: string | string[] | undefined): TraceParent | undefined {
  if (typeof header !== 'string' || header.length < LENGTH || header.length > MAX_LENGTH) return undefined
  const [, version, traceId = '', spanId = '', flags = ''] = FIELDS.exec(header) ?? []
  if (version === undefined || version === NO_VERSION) return undefined
  if (version === '00' && header.length !== LENGTH) return undefined
  if (ZEROS.test(traceId) || ZEROS.test(spanId)) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED }
}
