import type { ServiceKey } from './service-key.ts'

/** Flat, and of texts and whole numbers only: for those JSON with sorted names is the canonical form (RFC 8785). */
export type JwsPayload = Readonly<Record<string, string | number>>

/** Compact JWS with EdDSA; the key id tells a reader the public key. */
export function signJws(key: ServiceKey, payload: JwsPayload): string {
  const signed = `${headerOf(key)}.${encode(sorted(payload))}`
  return `${signed}.${key.sign(signed).toString('base64url')}`
}

const headers = new WeakMap<ServiceKey, string>()

/** The same for all that one key signs. */
function headerOf(key: ServiceKey): string {
  const header = headers.get(key) ?? encode({ alg: 'EdDSA', kid: key.id })
  headers.set(key, header)
  return header
}

/** What a JWS says; its signature is not looked at, so only for those we made ourselves. */
export function readOwnJws(jws: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(jws.split('.')[1] ?? '', 'base64url').toString())
}

function sorted(payload: JwsPayload): JwsPayload {
  return Object.fromEntries(Object.entries(payload).sort(([a], [b]) => (a < b ? -1 : 1)))
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
