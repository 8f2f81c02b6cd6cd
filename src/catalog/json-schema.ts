import { z } from 'zod'

export type JsonSchema = { [key: string]: unknown }

/** A field may be called `$schema` too: then its schema stands there, which is no text. */
const isMark = (key: string, entry: unknown) =>
  key === '~standard' || (key === '$schema' && typeof entry === 'string')

/** What a caller sends (`input`) or gets (`output`), as JSON Schema 2020-12 without zod's own marks. */
export function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  return clean(z.toJSONSchema(schema, { io, unrepresentable: 'any' })) as JsonSchema
}

/** Drops `$schema` and the safe-integer bounds that zod adds to every integer: they tell a reader nothing. */
function clean(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(clean)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(withShortPattern(value))
      .filter(([key, entry]) => !isMark(key, entry) && Math.abs(Number(entry)) !== Number.MAX_SAFE_INTEGER)
      .map(([key, entry]) => [key, clean(entry)]),
  )
}

/** Zod spells out the calendar in 300 characters; the format says it, and of the rest only UTC is news. */
function withShortPattern(schema: JsonSchema | object): object {
  if (!('format' in schema) || !('pattern' in schema)) return schema
  const { pattern, ...rest } = schema
  if (schema.format === 'date') return rest
  const isUtc = schema.format === 'date-time' && /Z\)+\$$/.test(String(pattern))
  return isUtc ? { ...rest, pattern: 'Z$' } : schema
}

export type ParamShape = {
  name: string
  in: 'path' | 'query'
  required: boolean
  schema: JsonSchema
  description: string
}

/** The params of one address: those it carries in its path, and the rest in the query; preset ones are not asked for. */
export function paramShapes(params: z.ZodObject, inPath: readonly string[], preset: object): ParamShape[] {
  const whole = toJsonSchema(params, 'input')
  const properties = (whole.properties ?? {}) as Record<string, JsonSchema>
  const required = new Set((whole.required as string[] | undefined) ?? [])
  return Object.entries(properties)
    .filter(([name]) => !(name in preset))
    .map(([name, { description, ...schema }]) => ({
      name,
      in: inPath.includes(name) ? 'path' : 'query',
      required: inPath.includes(name) || required.has(name),
      schema,
      description: String(description ?? name),
    }))
}
