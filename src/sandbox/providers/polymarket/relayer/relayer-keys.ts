import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { type Address, isAddress, isAddressEqual } from 'viem'
import { SECOND_MS } from '../../../../core/time/time.ts'
import type { ProviderRequest } from '../../reply.ts'

/** What the relayer accepts: a builder's key that signs each request, or a key that is named with its owner's address. */
export type RelayerKeys = {
  builder: { key: string; secret: string; passphrase: string }
  api: { key: string; address: Address }
}

const SECRET_BYTES = 32
/** How far the client's clock may be off. */
const TOLERANCE_MS = 60 * SECOND_MS

/** New at every start, but for a key that is given. */
export const makeRelayerKeys = (address: Address, key: string = randomUUID()): RelayerKeys => ({
  builder: {
    key: randomUUID(),
    secret: randomBytes(SECRET_BYTES).toString('base64'),
    passphrase: randomUUID(),
  },
  api: { key, address },
})

export function isAuthorized(keys: RelayerKeys, request: ProviderRequest, nowMs: number): boolean {
  return isNamed(keys.api, request.headers) || isSignedByBuilder(keys.builder, request, nowMs)
}

function isNamed({ key, address }: RelayerKeys['api'], headers: IncomingHttpHeaders): boolean {
  const named = textOf(headers.relayer_api_key_address)
  const isOwner = isAddress(named, { strict: false }) && isAddressEqual(named, address)
  return isEqual(textOf(headers.relayer_api_key), key) && isOwner
}

/** HMAC-SHA256 over time, method, path and body, in base64 for URLs with its padding. */
function isSignedByBuilder(
  builder: RelayerKeys['builder'],
  { headers, method, path, body }: ProviderRequest,
  nowMs: number,
): boolean {
  const atS = textOf(headers.poly_builder_timestamp)
  if (!/^\d{1,12}$/.test(atS) || Math.abs(Number(atS) * SECOND_MS - nowMs) > TOLERANCE_MS) return false
  const mac = createHmac('sha256', Buffer.from(builder.secret, 'base64'))
    .update(`${atS}${method}${path}`)
    .update(body)
    .digest('base64')
  const expected = mac.replaceAll('+', '-').replaceAll('/', '_')
  return (
    isEqual(textOf(headers.poly_builder_api_key), builder.key) &&
    isEqual(textOf(headers.poly_builder_passphrase), builder.passphrase) &&
    isEqual(textOf(headers.poly_builder_signature), expected)
  )
}

const textOf = (header: string | string[] | undefined) => (typeof header === 'string' ? header : '')

function isEqual(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
