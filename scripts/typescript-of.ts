import type { JsonSchema } from '../src/catalog/json-schema.ts'

/** A JSON Schema as the TypeScript type of what it accepts. Knows what zod makes of our replies, and refuses the rest. */
export function typescriptOf(schema: JsonSchema): string {
  if ('const' in schema) return JSON.stringify(schema.const)
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const options = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined
  if (options) return options.map(typescriptOf).join(' | ')
  if (Array.isArray(schema.prefixItems))
    return `[${(schema.prefixItems as JsonSchema[]).map(typescriptOf).join(', ')}]`
  if (Array.isArray(schema.type))
    return schema.type.map((type) => typescriptOf({ ...schema, type })).join(' | ')
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type
    case 'integer':
    case 'number':
      return 'number'
    case 'array':
      return `(${typescriptOf(schema.items as JsonSchema)})[]`
    case 'object':
      return objectOf(schema)
    default:
      if (Object.keys(schema).every((key) => key === 'description')) return 'unknown'
      throw new Error(`no type for ${JSON.stringify(schema)}`)
  }
}

function objectOf(schema: JsonSchema): string {
  if (!schema.properties) {
    const values = schema.additionalProperties
    return `Record<string, ${typeof values === 'object' && values ? typescriptOf(values as JsonSchema) : 'unknown'}>`
  }
  const required = new Set(schema.required as string[] | undefined)
  const fields = Object.entries(schema.properties as Record<string, JsonSchema>)
  return `{ ${fields.map(([name, field]) => `${keyOf(name)}${required.has(name) ? '' : '?'}: ${typescriptOf(field)}`).join('; ')} }`
}

const keyOf = (name: string) => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name))
