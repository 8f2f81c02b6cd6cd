/** A name and a value of a header that is sent as it is. */
export type HeaderPair = readonly [name: string, value: string]

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/
const VALUE = /^[\x20-\x7e]{1,4096}$/
/** What a request says about itself is not for others to set. */
const OURS = ['content-type', 'content-length', 'content-encoding', 'transfer-encoding', 'connection', 'host']

/** `name=value,name=value`, values percent-encoded, as OpenTelemetry writes headers. Undefined where it is no such list. */
export function findHeaderList(text: string): readonly HeaderPair[] | undefined {
  const parts = text.split(',').filter((part) => part.trim() !== '')
  const pairs = parts.map(findPair).filter((pair) => pair !== undefined)
  return pairs.length > 0 && pairs.length === parts.length ? pairs : undefined
}

function findPair(part: string): HeaderPair | undefined {
  const at = part.indexOf('=')
  const [name, value] = [part.slice(0, Math.max(at, 0)).trim(), findDecoded(part.slice(at + 1).trim())]
  if (value === undefined || !NAME.test(name) || !VALUE.test(value)) return undefined
  return OURS.includes(name.toLowerCase()) ? undefined : [name, value]
}

function findDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
