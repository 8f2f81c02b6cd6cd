import type { JsonSchema } from '../../catalog/json-schema.ts'

const OF_NUMBERS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']
/** What JSON Schema ignores for values of any other type. */
const KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  string: ['minLength', 'maxLength', 'pattern', 'format'],
  number: OF_NUMBERS,
  integer: OF_NUMBERS,
  array: ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems'],
  object: [
    'properties',
    'required',
    'additionalProperties',
    'propertyNames',
    'minProperties',
    'maxProperties',
  ],
  boolean: [],
  null: [],
}
const NOTES = ['description', 'title', 'examples']

/**
 * A union of plain types as one schema with a list of types, which is shorter to read and says the same: a keyword of
 * one type binds no value of another. What a list cannot say, such as two kinds of objects, stays a union.
 */
export function withTypeList(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf) || 'type' in rest) return schema
  const merged = mergeValues(anyOf) ?? mergeKeywords(anyOf)
  if (!merged || Object.keys(merged).some((key) => key in rest && key !== 'description')) return schema
  // What a field means stands before what its type says of every field of its kind.
  const description = [rest.description, merged.description].filter(Boolean).join('. ')
  return { ...merged, ...rest, ...(description && { description }) }
}

/** Branches that list their values. */
function mergeValues(branches: readonly JsonSchema[]): JsonSchema | undefined {
  const notes = joined(branches.map((branch) => pick(branch, NOTES)))
  const values = branches.map(valuesOf)
  if (!notes || !values.every((each) => each !== undefined)) return undefined
  const types = [...new Set(branches.map(({ type }) => type))]
  return { type: types.length === 1 ? types[0] : types, enum: values.flat(), ...notes }
}

function valuesOf(branch: JsonSchema): unknown[] | undefined {
  const isBare = Object.keys(branch).every((key) => ['type', 'const', 'enum', ...NOTES].includes(key))
  if (!isBare || typeof branch.type !== 'string') return undefined
  if (branch.type === 'null') return [null]
  return 'const' in branch ? [branch.const] : (branch.enum as unknown[] | undefined)
}

/** Branches of different types, each with keywords of its own type only. */
function mergeKeywords(branches: readonly JsonSchema[]): JsonSchema | undefined {
  const types = branches.map(({ type }) => String(type))
  const isPlain = branches.every((branch, at) => {
    const known = KEYWORDS[types[at] ?? '']
    return known && Object.keys(branch).every((key) => ['type', ...known, ...NOTES].includes(key))
  })
  // An integer is a number too: the keywords of one would bind the other.
  const kinds = types.map((type) => (type === 'integer' ? 'number' : type))
  if (!isPlain || new Set(kinds).size < kinds.length) return undefined
  const keywords = joined(branches.map(({ type: _, ...others }) => others))
  return keywords && { type: types, ...keywords }
}

/** Nothing where two branches have the same key, such as a description each. */
function joined(parts: readonly JsonSchema[]): JsonSchema | undefined {
  const keys = parts.flatMap(Object.keys)
  return new Set(keys).size === keys.length ? Object.assign({}, ...parts) : undefined
}

function pick(schema: JsonSchema, names: readonly string[]): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => names.includes(key)))
}
