import { z } from 'zod'
import type { RefusalReason } from '../refusal.ts'
import { V1_NAMES } from '../terms.ts'
import { findHeaderJson } from './bounded-json.ts'

/** What a payment says, whichever version it came in. Nothing of it is believed yet. */
export type Envelope = {
  scheme: string
  network: string
  /** The terms the payer says were accepted; v1 payments carry none. */
  accepted: Accepted | undefined
  resourceUrl: string | undefined
  payload: Record<string, unknown>
  identifier: string | undefined
}
export type Accepted = z.infer<typeof Accepted>

const Accepted = z.strictObject({
  scheme: z.string(),
  network: z.string(),
  amount: z.string(),
  asset: z.string(),
  payTo: z.string(),
  maxTimeoutSeconds: z.number(),
  extra: z.record(z.string(), z.unknown()),
})
/** Of the x402 extension `payment-identifier`. */
const Identifier = z.string().regex(/^[A-Za-z0-9_-]{16,128}$/)
const Extensions = z.object({
  'payment-identifier': z.object({ info: z.object({ id: Identifier.optional() }) }).optional(),
})
const Payload = z.record(z.string(), z.unknown())
/** Fields of the other version are refused: two readers could take such a payment for two different ones. */
const absent = z.undefined().optional()

const V2 = z.object({
  x402Version: z.literal(2),
  accepted: Accepted,
  resource: z.object({ url: z.string() }).optional(),
  payload: Payload,
  extensions: Extensions.optional(),
  scheme: absent,
  network: absent,
  paymentRequirements: absent,
})
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

/** Header text in, envelope out, or the reason why there is none. */
export function parseEnvelope(text: string, version: 1 | 2): Envelope | RefusalReason {
  const json = findHeaderJson(text)
  if (!json) return 'malformed_payment'
  if (typeof json.x402Version === 'number' && !VERSIONS.includes(json.x402Version))
    return 'unsupported_version'
  return version === 2 ? fromV2(json) : fromV1(json)
}

function fromV2(json: unknown): Envelope | RefusalReason {
  const { success, data } = V2.safeParse(json)
  if (!success) return 'malformed_payment'
  const { accepted, resource, payload, extensions } = data
  const { scheme, network } = accepted
  return {
    scheme,
    network,
    accepted,
    resourceUrl: resource?.url,
    payload,
    identifier: extensions?.['payment-identifier']?.info.id,
  }
}

function fromV1(json: unknown): Envelope | RefusalReason {
  const { success, data } = V1.safeParse(json)
  if (!success) return 'malformed_payment'
  const network = V1_NETWORKS.get(data.network)
  if (network === undefined) return 'unsupported_network'
  const identifier = data.extensions?.['payment-identifier']?.info.id
  return { ...data, network, accepted: undefined, resourceUrl: undefined, identifier }
}
