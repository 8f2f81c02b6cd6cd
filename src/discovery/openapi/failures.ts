import { z } from 'zod'
import type { Site } from '../../catalog/site.ts'
import {
  FAILURE_CODES,
  type FailureCode,
  hintOf,
  problemTypeOf,
  statusOf,
  titleOf,
} from '../../core/service-error.ts'
import { sentenceOf } from '../../payments/gate/refusal.ts'
import { priceOf } from '../prices/price.ts'
import { resourceUrl } from '../sample-call.ts'
import { inline, refTo, toSchemas } from './component.ts'

/** RFC 9457, with the codes that these statuses can have. */
const problemOf = (isMeant: (status: number) => boolean) => {
  const codes = FAILURE_CODES.filter((code) => isMeant(statusOf(code)))
  return z.object({
    type: z.string().min(1),
    title: z.string().min(1),
    status: z.literal([...new Set(codes.map(statusOf))]),
    detail: z.string().min(1),
    code: z.enum(codes).describe('Stable: programs may act on it'),
    hint: z.string().min(1).describe('A way out'),
    request_id: z.string().min(1).describe('Quote it when you ask for help'),
  })
}
const ofStatus = (wanted: number) => problemOf((status) => status === wanted)
const isRefusal = (status: number) => status >= 400 && status < 500

/** The validation error that FastAPI clients know. */
const HTTPValidationError = z.object({
  detail: z.array(
    z.object({
      loc: z.array(z.union([z.string(), z.int()])).min(1),
      msg: z.string().min(1),
      type: z.string().min(1),
    }),
  ),
})

/** As JSON-RPC has it, and the HTTP binding of A2A. */
const ProtocolError = z.looseObject({
  error: z
    .looseObject({
      code: z.int().describe('A code of JSON-RPC, or the status where the protocol is plain HTTP'),
      message: z.string().min(1).describe('What is wrong with the message'),
    })
    .describe('The failure in the words of the protocol, which may add fields'),
})

const PaymentRequired = z.object({
  x402Version: z.int().min(1).max(2).describe('2, or 1 when x402_version=1 was asked for'),
  error: z.string().min(1).describe('Why it is not served, as a code'),
  detail: z.string().min(1).optional().describe('The same as a sentence; not in version 1'),
  resource: z
    .object({ url: z.url(), description: z.string().min(1), mimeType: z.string().min(1) })
    .optional()
    .describe('What is paid for; a version 1 envelope says it in each entry of accepts'),
  accepts: z
    .array(
      z.object({
        scheme: z.string().min(1),
        network: z.string().min(1).describe('CAIP-2 identifier'),
        amount: z
          .string()
          .regex(/^\d+$/)
          .optional()
          .describe('Millionths of a USDC; maxAmountRequired in version 1'),
        asset: z.string().min(1).describe('USDC on that network'),
        payTo: z.string().min(1),
        maxTimeoutSeconds: z.int().min(1),
        extra: z.record(z.string(), z.string()),
      }),
    )
    .describe('One entry per way to pay'),
  extensions: z.record(z.string(), z.unknown()).optional(),
})

export const failureSchemas = {
  ...toSchemas('Problem', problemOf(isRefusal)),
  ...toSchemas('HTTPValidationError', HTTPValidationError),
  ...toSchemas('PaymentRequired', PaymentRequired),
  ...toSchemas('ProtocolError', ProtocolError),
}

/** Replies that many operations share, by name of component. */
export function failureResponses(site: Site): Record<string, unknown> {
  return {
    PaymentRequired: {
      description:
        'Not paid, and no free call left or wanted. Says what to pay, where and how; nothing was charged.',
      headers: {
        'PAYMENT-REQUIRED': refTo('headers', 'PaymentRequired'),
        'X-Payment-Required': refTo('headers', 'PaymentRequired'),
        'X-Holder-Calls-Limit': refTo('headers', 'HolderLimit'),
        'X-Holder-Calls-Remaining': refTo('headers', 'HolderRemaining'),
        'Retry-After': refTo('headers', 'AllowanceReset'),
      },
      content: {
        'application/json': { schema: refTo('schemas', 'PaymentRequired'), example: envelope(site) },
      },
    },
    ValidationError: {
      description: 'A param breaks its schema. Nothing was charged.',
      content: {
        'application/json': {
          schema: refTo('schemas', 'HTTPValidationError'),
          example: { detail: [{ loc: ['query', 'name'], msg: 'is required', type: 'missing' }] },
        },
      },
    },
    Unauthorized: problem('The credential is missing or wrong.', 'unauthorized'),
    Forbidden: problem('The key is good, but it lacks the scope that this needs.', 'forbidden'),
    NotFound: problem('What the path names is not known. Nothing was charged.', 'not_found'),
    Conflict: problem('Something stands against it, and nothing was done: the body says what.', 'conflict'),
    RateLimited: problem('Too many requests.', 'rate_limited', { isTemporary: true }),
    Unavailable: problem('The data is missing or too old. Nothing was charged.', 'upstream_unavailable', {
      isTemporary: true,
    }),
    Refused: problem('The request was refused before it reached the endpoint.', 'bad_request', {
      schema: refTo('schemas', 'Problem'),
    }),
    ProtocolRefused: protocolRefused(),
  }
}

type Special = { isTemporary?: boolean; schema?: object }

/** Each lists the codes of its own status, so a reader learns here what can go wrong. */
function problem(description: string, code: FailureCode, { isTemporary, schema }: Special = {}) {
  const example = {
    type: problemTypeOf(code),
    title: titleOf(code),
    status: statusOf(code),
    detail: titleOf(code),
    code,
    hint: hintOf(code),
    request_id: 'k3f9-1',
  }
  return {
    description,
    ...(isTemporary && { headers: { 'Retry-After': refTo('headers', 'RetryAfter') } }),
    content: {
      'application/problem+json': { schema: schema ?? inline('Problem', ofStatus(statusOf(code))), example },
    },
  }
}

/** What the protocol refuses it says in its own words; what does not reach it is a problem like any other. */
function protocolRefused() {
  const { content } = problem('', 'bad_request', { schema: inline('Problem', problemOf(isRefusal)) })
  const example = { error: { code: 400, status: 'INVALID_ARGUMENT', message: 'message is required' } }
  return {
    description: 'The message was refused, by the protocol or before it got there.',
    content: { 'application/json': { schema: refTo('schemas', 'ProtocolError'), example }, ...content },
  }
}

/** The first thing for sale stands for all. */
function envelope(site: Site) {
  const [product] = site.catalog.paid
  if (!product) return undefined
  const route = { method: product.method, path: product.path, preset: {}, endpoint: product }
  return {
    x402Version: 2,
    error: 'payment_required',
    detail: sentenceOf('payment_required'),
    resource: {
      url: resourceUrl(site, route),
      description: product.description,
      mimeType: 'application/json',
    },
    accepts: site.payment.accepts(priceOf(product).atomic),
  }
}

const header = (description: string, type: 'string' | 'integer') => ({ description, schema: { type } })

export const headerComponents = {
  PaymentRequired: header(
    'The version 2 envelope of the 402 in short, as JSON in base64; free calls carry it too',
    'string',
  ),
  PaymentResponse: header('The settlement of the payment, as JSON in base64; absent on free calls', 'string'),
  DemoLimit: header('Free calls per UTC day and client', 'integer'),
  DemoRemaining: header('Free calls left today', 'integer'),
  HolderLimit: header('With the token of a holder: calls per UTC day of its wallet', 'integer'),
  HolderRemaining: header('With the token of a holder: calls left today', 'integer'),
  RateLimit: header('Calls left in this window, and seconds until it ends', 'string'),
  RateLimitPolicy: header('Calls per window, and its seconds', 'string'),
  AllowanceReset: header('Where a holder has used up its calls: seconds until they begin again', 'integer'),
  RetryAfter: header('Seconds to wait', 'integer'),
  ETag: header('Strong validator; send it back in If-None-Match', 'string'),
  TotalCount: header('Entries of the whole list', 'integer'),
  NextPage: header('The page that follows, with rel="next"; absent on the last one', 'string'),
  Location: header('The address that answers', 'string'),
}
