import { expect, test } from 'vitest'
import { describeFields } from './describe-fields.ts'

const text = { type: 'string' }

test('a field without words gets those of its name, or of its parent and its name', () => {
  const schema = {
    type: 'object',
    properties: {
      coin: text,
      bid: { type: 'object', properties: { price: text } },
      fills: { type: 'array', items: { type: 'object', properties: { price: text } } },
      harbour: text,
    },
  }
  expect(describeFields(schema, 'test')).toMatchObject({
    properties: {
      coin: { type: 'string', description: 'Symbol of the coin' },
      bid: { properties: { price: { description: 'Best price that buyers offer for one share' } } },
      fills: { items: { properties: { price: { description: 'Price of one share' } } } },
      harbour: text,
    },
  })
})

test('words of its own stay', () => {
  const schema = { type: 'object', properties: { coin: { ...text, description: 'Where boats meet' } } }
  expect(describeFields(schema, 'test')).toEqual(schema)
})
