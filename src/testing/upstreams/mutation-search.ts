import { UpstreamError } from '../../upstreams/upstream.ts'
import { searchSize } from '../search-size.ts'
import { createSeeded } from '../seeded.ts'
import { mutate } from './mutate.ts'
import { findUnsound, type Shape, shapeOf } from './sound-value.ts'

/** A payload as JSON and as text to our value; throws an `UpstreamError` that says `malformed`. */
export type Parser = (json: unknown, text: string) => unknown

type Search = {
  /** For the message. */
  file: string
  json: unknown
  parse: Parser
  /** Keys of our types that may be undefined. */
  optional: ReadonlySet<string>
  /** What else is wrong with a value. */
  findFault?: (value: unknown) => string | undefined
}

/** The value, or that it was refused. Anything that is thrown but the error of the adapters gets out. */
export function readText(text: string, parse: Parser): { value: unknown } | undefined {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    json = undefined
  }
  try {
    return { value: parse(json, text) }
  } catch (cause) {
    if (cause instanceof UpstreamError && cause.fault === 'malformed') return undefined
    throw cause
  }
}

/** Reads changed copies of a payload; throws where one is neither read soundly nor refused. */
export function searchMutations({ file, json, parse, optional, findFault = () => undefined }: Search): {
  read: number
  refused: number
} {
  const whole = readText(JSON.stringify(json), parse)
  const shape: Shape = whole ? shapeOf(whole.value) : new Map()
  const counts = { read: 0, refused: 0 }
  for (let seed = 1; seed <= searchSize('payload-mutations'); seed++) {
    const result = readText(mutate(json, createSeeded(seed)), parse)
    if (result) counts.read++
    else counts.refused++
    const fault = result && (findUnsound(result.value, shape, optional) ?? findFault(result.value))
    if (fault) throw new Error(`${file}, seed ${seed}: ${fault}`)
  }
  return counts
}
