import type { JsonSchema } from '../../catalog/json-schema.ts'
import { withTypeList } from './type-list.ts'

/** The same schema in fewer words: agents read all of it, and every level and branch is one more to keep in mind. */
export function toPlain(schema: JsonSchema): JsonSchema {
  return plain(schema) as JsonSchema
}

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
    .filter(([key, entry]) => !saysNothing(key, entry))
    .map(([key, entry]) => [key, plain(entry)])
  return withTypeList(Object.fromEntries(entries))
}

/** Every JSON object allows further fields of any kind unless told otherwise, and all its names are strings. */
function saysNothing(key: string, entry: unknown): boolean {
  const text = JSON.stringify(entry)
  return (
    (key === 'additionalProperties' && text === '{}') ||
    (key === 'propertyNames' && text === '{"type":"string"}')
  )
}
