export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

/**
 * One text for one value (RFC 8785): names in the order of their UTF-16 units, ECMAScript's shortest numbers, no space.
 * Throws on what has no such text: NaN, infinities, half of a surrogate pair, anything JSON does not know.
 */
export function canonicalJson(value: Json): string {
  if (typeof value === 'string') return text(value)
  if (typeof value === 'number') return number(value)
  if (value === null || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return `[${Array.from(value, canonicalJson).join()}]`
  if (!isPlain(value)) throw new TypeError(`no JSON: ${typeof value}`)
  const members = Object.keys(value)
    .sort()
    .map((name) => `${text(name)}:${canonicalJson(value[name] as Json)}`)
  return `{${members.join()}}`
}

function text(value: string): string {
  if (!value.isWellFormed()) throw new TypeError('half of a surrogate pair is no text')
  return JSON.stringify(value)
}

function number(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError(`${value} is no JSON number`)
  return JSON.stringify(value)
}

function isPlain(value: unknown): value is Readonly<Record<string, Json>> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}
