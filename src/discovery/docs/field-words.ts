import type { Endpoint } from '../../catalog/catalog.ts'
import { type JsonSchema, toJsonSchema } from '../../catalog/json-schema.ts'
import { describeFields } from '../openapi/describe-fields.ts'

/** Names of the fields of a reply and what they mean. Each word once: the index is a file that browsers load. */
export function fieldWords(endpoint: Endpoint): string {
  if (endpoint.kind !== 'product') return ''
  const schema = describeFields(toJsonSchema(endpoint.response, 'output'), endpoint.id)
  const words = textsOf(schema).flatMap((text) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u))
  return [...new Set(words)].filter((word) => word.length > 1).join(' ')
}

function textsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap(textsOf)
  const { properties = {}, description, ...rest } = value as JsonSchema
  const fields = Object.entries(properties as Record<string, JsonSchema>)
  return [
    ...(typeof description === 'string' ? [description] : []),
    ...fields.flatMap(([name, field]) => [name, ...textsOf(field)]),
    ...Object.values(rest).flatMap(textsOf),
  ]
}
