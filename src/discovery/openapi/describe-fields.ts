import type { JsonSchema } from '../../catalog/json-schema.ts'
import { INTEL_WORDS } from './words/intel-words.ts'
import { MARKET_WORDS } from './words/market-words.ts'
import { SERVICE_WORDS } from './words/service-words.ts'
import { TRADE_WORDS } from './words/trade-words.ts'

/** What a field means, by its name, or by `parent.name` where the name alone says too little. */
const WORDS = { ...SERVICE_WORDS, ...MARKET_WORDS, ...INTEL_WORDS, ...TRADE_WORDS }

const INSIDE = ['items', 'additionalProperties', 'anyOf', 'oneOf', 'allOf', 'prefixItems']

/** Gives every field words that has none of its own: a name means the same in every reply. */
export function describeFields(schema: JsonSchema, parent: string): JsonSchema {
  const inside = Object.fromEntries(
    INSIDE.filter((key) => key in schema).map((key) => [key, described(schema[key], parent)]),
  )
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>).map(
    ([name, field]) => [name, { ...wordsFor(parent, name), ...describeFields(field, name) }],
  )
  return {
    ...schema,
    ...inside,
    ...('properties' in schema && { properties: Object.fromEntries(properties) }),
  }
}

function described(value: unknown, parent: string): unknown {
  if (Array.isArray(value)) return value.map((each) => described(each, parent))
  return typeof value === 'object' && value !== null ? describeFields(value as JsonSchema, parent) : value
}

function wordsFor(parent: string, name: string): { description?: string } {
  const description = WORDS[`${parent}.${name}`] ?? WORDS[name]
  return description === undefined ? {} : { description }
}
