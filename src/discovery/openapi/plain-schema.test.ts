import { expect, test } from 'vitest'
import { z } from 'zod'
import { toJsonSchema } from '../../catalog/json-schema.ts'
import { toPlain } from './plain-schema.ts'

const plain = (schema: z.ZodType) => toPlain(toJsonSchema(schema, 'output'))

test('what may be null is one schema with two types', () => {
  expect(plain(z.number().min(0).nullable())).toEqual({ type: ['number', 'null'], minimum: 0 })
  expect(plain(z.enum(['up', 'down']).nullable())).toEqual({
    type: ['string', 'null'],
    enum: ['up', 'down', null],
  })
  expect(plain(z.object({ level: z.number() }).nullable())).toMatchObject({
    type: ['object', 'null'],
    properties: { level: { type: 'number' } },
    required: ['level'],
  })
  expect(plain(z.union([z.string().min(1), z.boolean()]))).toEqual({
    type: ['string', 'boolean'],
    minLength: 1,
  })
})

test('no description is lost: that of the field stands before that of its type', () => {
  const Metres = z.number().describe('In metres')
  expect(plain(Metres.nullable())).toMatchObject({ description: 'In metres' })
  expect(plain(Metres.nullable().describe('Null at night'))).toMatchObject({
    description: 'Null at night. In metres',
  })
})

test('a union that a list of types cannot say stays a union', () => {
  const unions = [
    z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]),
    z.union([z.int().min(3), z.number()]),
    z.union([z.literal('none'), z.number()]),
  ]
  for (const union of unions) expect(plain(union)).toHaveProperty('anyOf')
})

test('says nothing twice', () => {
  expect(plain(z.looseObject({}))).toEqual({ type: 'object', properties: {}, additionalProperties: true })
  expect(plain(z.record(z.string(), z.number()))).toEqual({
    type: 'object',
    additionalProperties: { type: 'number' },
  })
  expect(plain(z.record(z.enum(['a']), z.number()))).toHaveProperty('propertyNames')
  expect(plain(z.iso.datetime())).toEqual({ type: 'string', format: 'date-time', pattern: 'Z$' })
  expect(plain(z.iso.datetime({ offset: true })).pattern).toMatch(/^.{100}/)
  expect(plain(z.iso.date())).toEqual({ type: 'string', format: 'date' })
})
