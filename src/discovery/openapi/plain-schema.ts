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
    .map(([key, entry]) => [key, isAnything(key, entry) || plain(entry)])
  return withTypeList(Object.fromEntries(entries))
}

/** All names of a JSON object are strings. */
function saysNothing(key: string, entry: unknown): boolean {
  return key === 'propertyNames' && JSON.stringify(entry) === '{"type":"string"}'
}

/** Said as `true`, it is no level of its own; left out, linters take an example with further fields for a mistake. */
function isAnything(key: string, entry: unknown): boolean {
  return key === 'additionalProperties' && JSON.stringify(entry) === '{}'
}
