import { z } from 'zod'
import { maybeFlag } from '../wire/number.ts'

const MAX_MESSAGE_CHARS = 300

/** Why a host of the venue refused a request, in its own words. */
export type ErrorBody = {
  message: string | undefined
  code: string | undefined
  isRetryable: boolean | undefined
  traceId: string | undefined
}

const text = () =>
  z
    .string()
    .nullish()
    .catch(undefined)
    .transform((value) => value?.slice(0, MAX_MESSAGE_CHARS) || undefined)

const Body = z.object({
  error: text(),
  errorMsg: text(),
  code: text(),
  retryable: maybeFlag().catch(undefined),
  trace_id: text(),
})

/** Reads any body: an error that cannot be understood is still one. */
export function readErrorBody(json: unknown): ErrorBody {
  const { data } = Body.safeParse(json)
  return {
    message: data?.error ?? data?.errorMsg,
    code: data?.code,
    isRetryable: data?.retryable,
    traceId: data?.trace_id,
  }
}
