/** JWS compact serialization (RFC 7515): `header` and `payload` as `toJwsPart` encodes them. */
export function signCompactJws(header: string, payload: string, sign: (text: string) => Buffer): string {
  const signed = `${header}.${payload}`
  return `${signed}.${sign(signed).toString('base64url')}`
}

export function toJwsPart(json: string): string {
  return Buffer.from(json).toString('base64url')
}
