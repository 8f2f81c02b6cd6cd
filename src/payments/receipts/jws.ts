import { canonicalJson } from '../../core/canonical-json.ts'
import { signCompactJws, toJwsPart } from '../../core/signing/jws.ts'
import type { ServiceKey } from './service-key.ts'

export type JwsPayload = Readonly<Record<string, string | number>>

/** Compact JWS with EdDSA; the key id is a did:key, which holds the public key. */
export function signJws(key: ServiceKey, payload: JwsPayload): string {
  return signCompactJws(headerOf(key), toJwsPart(canonicalJson(payload)), key.sign)
}

/** The same text; the signature, which is nearly all of the work, is made by another thread. */
export async function signJwsAside(key: ServiceKey, payload: JwsPayload): Promise<string> {
  const signed = `${headerOf(key)}.${toJwsPart(canonicalJson(payload))}`
  return `${signed}.${(await key.signAside(signed)).toString('base64url')}`
}

const headers = new WeakMap<ServiceKey, string>()

/** Encoded once per key: it is the same for everything that the key signs. */
function headerOf(key: ServiceKey): string {
  const header = headers.get(key) ?? toJwsPart(JSON.stringify({ alg: 'EdDSA', kid: key.id }))
  headers.set(key, header)
  return header
}

/** The payload of a JWS. The signature is not checked: use it only for those we signed ourselves. */
export function readOwnJws(jws: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString())
}
