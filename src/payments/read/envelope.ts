import { z } from 'zod'
import { PAYMENT_IDENTIFIER } from '../challenge/payment-identifier.ts'
import { V1_NAMES } from '../challenge/terms.ts'
import type { RefusalReason } from '../gate/refusal.ts'
import { findHeaderFault, findHeaderJson, isObject } from './bounded-json.ts'
import type { Fault } from './faults.ts'

/** What a payment says, in either version. Nothing in it is verified yet. */
export type Envelope = {
  scheme: string
  network: string
  /** The terms the payer says were accepted; v1 payments carry none. */
  accepted: Accepted | undefined
  resourceUrl: string | undefined
  payload: Record<string, unknown>
  identifier: string | undefined
}
/** Why there is none, and where it cannot be read what is wrong with it. */
export type NoEnvelope = { reason: RefusalReason; fault?: Fault }
export type Accepted = {
  scheme: string
  network: string
  amount: string
  asset: string
  payTo: string
  maxTimeoutSeconds: number
  extra: Record<string, unknown>
}

const Identifier = z.string().regex(/^[A-Za-z0-9_-]{16,128}$/)
const Extensions = z.object({
  [PAYMENT_IDENTIFIER]: z.object({ info: z.object({ id: Identifier.optional() }) }).optional(),
})
const Payload = z.record(z.string(), z.unknown())
/** Fields of the other version are refused: two readers could understand such a payment differently. */
const absent = z.undefined().optional()

const V1 = z.object({
  x402Version: z.literal(1),
  scheme: z.string(),
  network: z.string(),
  payload: Payload,
  extensions: Extensions.optional(),
  accepted: absent,
  resource: absent,
})
const V1_NETWORKS = new Map([...V1_NAMES].map(([network, name]) => [name, network]))
const VERSIONS: unknown[] = [1, 2]

const malformed = (fault: Fault): NoEnvelope => ({ reason: 'malformed_payment', fault })

/** Header text in, envelope out, or the reason why there is none. */
export function parseEnvelope(text: string, version: 1 | 2): Envelope | NoEnvelope {
  const json = findHeaderJson(text)
  if (!json) return malformed(findHeaderFault(text))
  if (typeof json.x402Version === 'number' && !VERSIONS.includes(json.x402Version))
    return { reason: 'unsupported_version' }
  return version === 2 ? fromV2(json) : fromV1(json)
}

/** By hand: nearly every payment is v2, and a schema took as long as all other checks except the signature. */
function fromV2(json: Record<string, unknown>): Envelope | NoEnvelope {
  const { x402Version, accepted, resource, payload, extensions } = json
  const isOfV1 = json.scheme !== undefined || json.network !== undefined
  if (x402Version !== 2) return malformed('x402Version')
  if (isOfV1 || json.paymentRequirements !== undefined) return malformed('fields of v1')
  if (!isAccepted(accepted)) return malformed('accepted')
  if (!isObject(payload)) return malformed('payload')
  if (resource !== undefined && !isResource(resource)) return malformed('resource')
  const named = extensions === undefined ? NO_EXTENSIONS : Extensions.safeParse(extensions)
  if (!named.success) return malformed(isObject(extensions) ? 'payment-identifier' : 'extensions')
  const { scheme, network } = accepted
  const identifier = named.data[PAYMENT_IDENTIFIER]?.info.id
  return { scheme, network, accepted, resourceUrl: resource?.url, payload, identifier }
}

const NO_EXTENSIONS = Extensions.safeParse({})
const ACCEPTED_TEXTS = ['scheme', 'network', 'amount', 'asset', 'payTo'] as const
const ACCEPTED_FIELDS = ACCEPTED_TEXTS.length + 2

/** Exactly these fields: an unknown one may mean something to another reader. */
function isAccepted(value: unknown): value is Accepted {
  return (
    isObject(value) &&
    ACCEPTED_TEXTS.every((name) => typeof value[name] === 'string') &&
    Number.isFinite(value.maxTimeoutSeconds) &&
    isObject(value.extra) &&
    Object.keys(value).length === ACCEPTED_FIELDS
  )
}

function isResource(value: unknown): value is { url: string } {
  return isObject(value) && typeof value.url === 'string'
}

function fromV1(json: Record<string, unknown>): Envelope | NoEnvelope {
  const { error, data } = V1.safeParse(json)
  if (!data) return malformed(faultOfV1(json, error.issues[0]?.path[0]))
  const network = V1_NETWORKS.get(data.network)
  if (network === undefined) return { reason: 'unsupported_network' }
  const identifier = data.extensions?.[PAYMENT_IDENTIFIER]?.info.id
  return { ...data, network, accepted: undefined, resourceUrl: undefined, identifier }
}

function faultOfV1({ extensions }: Record<string, unknown>, field: PropertyKey | undefined): Fault {
  if (field === 'extensions') return isObject(extensions) ? 'payment-identifier' : 'extensions'
  return FIELDS_OF_V1.find((name) => name === field) ?? 'fields of v2'
}

const FIELDS_OF_V1 = ['x402Version', 'scheme', 'network', 'payload'] as const
