import { z } from 'zod'
import { secret } from '../../core/secret.ts'
import { findHeaderList } from '../header-list.ts'
import { calledUrl } from './value-types.ts'
import { variable } from './variable.ts'

const headerList = z
  .string()
  .refine(
    (text) => findHeaderList(text) !== undefined,
    'must be headers like name=value,other=value, with %20 for a space in a value, and none that describes the body',
  )
  .transform(secret)

const share = z
  .string()
  .regex(/^(0(\.\d{1,9})?|1(\.0{1,9})?)$/, 'must be a number from 0 to 1, like 0.1')
  .transform(Number)

const serviceName = z
  .string()
  .regex(/^[\x21-\x7e]{1,64}$/, 'must have 1 to 64 characters of ASCII, without spaces')

/** Where traces go, by the names that OpenTelemetry gives to these settings. */
export const TRACE_VARIABLES = {
  OTEL_EXPORTER_OTLP_ENDPOINT: variable(
    calledUrl.optional(),
    'Sends traces as OTLP over HTTP in JSON to /v1/traces below this address, like http://127.0.0.1:4318. Absent: no traces',
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: variable(
    calledUrl.optional(),
    'The whole address that traces are sent to, in place of the one below OTEL_EXPORTER_OTLP_ENDPOINT',
  ),
  OTEL_EXPORTER_OTLP_HEADERS: variable(
    headerList.optional(),
    'Headers that are sent with traces, as name=value,name=value with percent-encoded values',
    { isSecret: true },
  ),
  OTEL_SERVICE_NAME: variable(serviceName.default('tollbook'), 'Name of the service in traces'),
  OTEL_TRACES_SAMPLER_ARG: variable(
    share.default(1),
    'Share of requests that are traced, from 0 to 1. A traceparent header that says sampled or not wins over it',
  ),
}
