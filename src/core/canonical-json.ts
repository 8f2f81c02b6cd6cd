export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

/** Printable ASCII that JSON writes as it is: nearly every text here, in a third of the time of `JSON.stringify`. */
const PLAIN = /^[ !#-[\]-~]*$/

/**
 * One text per value (RFC 8785): names sorted by UTF-16 code units, ECMAScript's shortest numbers, no white space.
 * Throws on values that have no such text: NaN, infinities, lone surrogates, anything that is not JSON.
 */
export function canonicalJson(value: Json): string {
  if (typeof value === 'string') return text(value)
  if (typeof value === 'number') return number(value)
  if (value === null || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return `[${Array.from(value, canonicalJson).join()}]`
  if (!isPlain(value)) throw new TypeError(`not JSON: ${typeof value}`)
  let members = ''
  for (const name of Object.keys(value).sort())
    members += `${members && ','}${text(name)}:${canonicalJson(value[name] as Json)}`
  return `{${members}}`
}

function text(value: string): string {
  if (PLAIN.test(value)) return `"${value}"`
  if (!value.isWellFormed()) throw new TypeError('a lone surrogate has no canonical form')
  return JSON.stringify(value)
}

function number(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError(`${value} is not a JSON number`)
  return JSON.stringify(value)
}

function isPlain(value: unknown): value is Readonly<Record<string, Json>> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}
