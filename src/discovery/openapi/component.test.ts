import { expect, test } from 'vitest'
import { z } from 'zod'
import { inline, keepUsed, toSchemas } from './component.ts'

type Tree = { twigs: Tree[] }

test('a schema that contains itself points at its own component', () => {
  const Tree: z.ZodType<Tree> = z.object({ twigs: z.array(z.lazy(() => Tree)) })
  expect(toSchemas('a.tree', Tree)).toEqual({
    'a.tree': {
      type: 'object',
      properties: { twigs: { type: 'array', items: { $ref: '#/components/schemas/a.tree' } } },
      required: ['twigs'],
    },
  })
})

test('objects stay open and a tuple names its items', () => {
  const { pair } = toSchemas('pair', z.tuple([z.string(), z.object({})]))
  expect(pair).toMatchObject({ items: {}, maxItems: 2 })
  expect(JSON.stringify(pair)).not.toContain('additionalProperties')
})

test('what stands where it is used has no parts elsewhere', () => {
  expect(inline('boat', z.object({ name: z.string() }))).toMatchObject({ required: ['name'] })
  const Part: z.ZodType<Tree> = z.lazy(() => z.object({ twigs: z.array(Part) }))
  expect(() => inline('trees', z.object({ first: Part, last: Part }))).toThrow('trees has parts')
})

test('components are kept along the chain of references, and a broken link stops the start', () => {
  const all = { schemas: { a: { $ref: '#/components/schemas/b' }, b: {}, c: {} }, headers: { d: {} } }
  expect(keepUsed(all, { $ref: '#/components/schemas/a' })).toEqual({
    schemas: { a: all.schemas.a, b: {} },
  })
  expect(() => keepUsed(all, { $ref: '#/components/schemas/z' })).toThrow('#/components/schemas/z')
})
