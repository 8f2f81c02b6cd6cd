/**
 * Values as text and back, the same bit for bit: JSON, and beside it what JSON cannot say. That is written as a text
 * that begins with a mark; a text that begins with the mark itself gets a second one.
 */
const MARK = '~'
const UNDEFINED = `${MARK}u`
const BIGINT = `${MARK}b`
const NUMBER = `${MARK}n`
const MAP = `${MARK}M`

/** Deeper than anything that is sent. */
const DEPTH_MAX = 24
/** Of one text, in characters: more than a whole part of the market, or a chunk of a list. */
const TEXT_MAX = 16_777_216
const BIGINT_CHARS_MAX = 80

export function toText(value: unknown): string {
  return JSON.stringify(pack(value, 0))
}

/** Throws where it is no text of ours. */
export function fromText(text: unknown): unknown {
  if (typeof text !== 'string') throw new Error('it is no text')
  if (text.length > TEXT_MAX) throw new Error(`it is longer than ${TEXT_MAX} characters`)
  return unpack(JSON.parse(text), 0)
}

function pack(value: unknown, depth: number): unknown {
  if (depth > DEPTH_MAX) throw new Error('it is nested too deeply')
  switch (typeof value) {
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0) ? value : `${NUMBER}${numberWord(value)}`
    case 'string':
      return value.startsWith(MARK) ? MARK + value : value
    case 'undefined':
      return UNDEFINED
    case 'bigint':
      return `${BIGINT}${value}`
    case 'boolean':
      return value
    case 'object':
      return value === null ? value : packObject(value, depth + 1)
    default:
      throw new Error(`a ${typeof value} cannot be sent`)
  }
}

function packObject(value: object, depth: number): unknown {
  if (Array.isArray(value)) return packArray(value, depth)
  if (value instanceof Map)
    return [MAP, ...[...value].map(([key, held]) => [pack(key, depth), pack(held, depth)])]
  const packed: Record<string, unknown> = {}
  for (const key of Object.keys(value)) packed[key] = pack((value as Record<string, unknown>)[key], depth)
  return packed
}

/** Most are numbers that stay as they are: then the array is not copied. */
function packArray(values: readonly unknown[], depth: number): readonly unknown[] {
  let packed: unknown[] | undefined
  for (let n = 0; n < values.length; n++) {
    const one = pack(values[n], depth)
    if (one !== values[n]) packed ??= values.slice(0, n)
    packed?.push(one)
  }
  return packed ?? values
}

/** Changes what was parsed in place: nobody else has it. */
function unpack(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return value.startsWith(MARK) ? unpackText(value) : value
  if (typeof value !== 'object' || value === null) return value
  if (depth > DEPTH_MAX) throw new Error('it is nested too deeply')
  if (Array.isArray(value)) {
    if (value[0] === MAP) return unpackMap(value.slice(1), depth + 1)
    for (let n = 0; n < value.length; n++)
      if (typeof value[n] !== 'number') value[n] = unpack(value[n], depth + 1)
    return value
  }
  const held = value as Record<string, unknown>
  for (const key of Object.keys(held)) {
    if (key === '__proto__') throw new Error('it has a field that no value has')
    held[key] = unpack(held[key], depth + 1)
  }
  return held
}

function unpackMap(pairs: readonly unknown[], depth: number): Map<unknown, unknown> {
  return new Map(
    pairs.map((pair) => {
      if (!Array.isArray(pair) || pair.length !== 2) throw new Error('it has a map that is none')
      return [unpack(pair[0], depth), unpack(pair[1], depth)]
    }),
  )
}

function unpackText(text: string): unknown {
  if (text.startsWith(MARK + MARK)) return text.slice(1)
  if (text === UNDEFINED) return undefined
  const rest = text.slice(BIGINT.length)
  if (text.startsWith(BIGINT) && rest.length <= BIGINT_CHARS_MAX && /^-?\d+$/.test(rest)) return BigInt(rest)
  if (text.startsWith(NUMBER) && ODD_NUMBERS.has(rest)) return ODD_NUMBERS.get(rest)
  throw new Error('it has a mark that is not known')
}

const ODD_NUMBERS: ReadonlyMap<string, number> = new Map([
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
  ['-0', -0],
])
const numberWord = (value: number) => (Object.is(value, -0) ? '-0' : String(value))
