import type { z } from 'zod'
import { type JsonSchema, toJsonSchema } from '../../catalog/json-schema.ts'
import { describeFields } from './describe-fields.ts'
import { toPlain } from './plain-schema.ts'

type Ref = { $ref: string }
type Components = Record<string, Record<string, unknown>>

export function refTo(kind: 'schemas' | 'responses' | 'parameters' | 'headers', name: string): Ref {
  return { $ref: `#/components/${kind}/${name}` }
}

/** A zod schema as named schemas: parts that zod keeps under `$defs` become components beside it. */
export function toSchemas(name: string, schema: z.ZodType): Record<string, JsonSchema> {
  const { $defs = {}, ...whole } = toPlain(toJsonSchema(schema, 'output'))
  const parts = Object.entries($defs as Record<string, JsonSchema>).map(([part, value]) => [
    `${name}.${part}`,
    describeFields(value, name),
  ])
  const named = { [name]: describeFields(whole, name), ...Object.fromEntries(parts) }
  return relocate(named, name) as Record<string, JsonSchema>
}

/** A zod schema where it is used, for what has one place: one that refers to parts must be a component. */
export function inline(name: string, schema: z.ZodType): JsonSchema {
  const { [name]: whole, ...parts } = toSchemas(name, schema)
  if (!whole || Object.keys(parts).length > 0) throw new Error(`${name} has parts: make it a component`)
  return whole
}

/** References move with the schema, and objects stay open: a field that we add later breaks no reader. */
function relocate(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value.map((item) => relocate(item, name))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, entry]) => !(key === 'additionalProperties' && entry === false))
      .map(([key, entry]) => [key, relocateEntry(key, entry, name)]),
  )
}

function relocateEntry(key: string, entry: unknown, name: string): unknown {
  if (key === '$ref' && typeof entry === 'string') return moved(entry, name)
  // The end of a tuple; `maxItems` beside it says the same, and linters want items to be a schema.
  if (key === 'items' && entry === false) return {}
  return relocate(entry, name)
}

function moved(ref: string, name: string): string {
  if (ref === '#') return refTo('schemas', name).$ref
  return ref.replace(/^#\/\$defs\//, `${refTo('schemas', name).$ref}.`)
}

/** Linters object to a component that nothing points at; which ones are needed depends on the catalog. */
export function keepUsed(all: Components, paths: object): Components {
  const used = new Set<string>()
  const visit = (text: string) => {
    for (const [, kind = '', name = ''] of text.matchAll(/"#\/components\/(\w+)\/([\w.-]+)"/g)) {
      if (used.has(`${kind}/${name}`)) continue
      used.add(`${kind}/${name}`)
      const component = all[kind]?.[name]
      if (component === undefined) throw new Error(`nothing stands at #/components/${kind}/${name}`)
      visit(JSON.stringify(component))
    }
  }
  visit(JSON.stringify(paths))
  const kept = Object.entries(all).map(
    ([kind, group]) =>
      [
        kind,
        Object.fromEntries(Object.entries(group).filter(([name]) => used.has(`${kind}/${name}`))),
      ] as const,
  )
  return Object.fromEntries(kept.filter(([, group]) => Object.keys(group).length > 0))
}
