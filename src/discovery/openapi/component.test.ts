import { expect, test } from 'vitest'
import { z } from 'zod'
import { keepUsed, toSchemas } from './component.ts'

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

test('components are kept along the chain of references, and a broken link stops the start', () => {
  const all = { schemas: { a: { $ref: '#/components/schemas/b' }, b: {}, c: {} }, headers: { d: {} } }
  expect(keepUsed(all, { $ref: '#/components/schemas/a' })).toEqual({
    schemas: { a: all.schemas.a, b: {} },
  })
  expect(() => keepUsed(all, { $ref: '#/components/schemas/z' })).toThrow('#/components/schemas/z')
})
