import { expect, test } from 'vitest'
import { exampleFields } from './example-fields.ts'

test('the fields of an object, nested ones as JSON', () => {
  expect(exampleFields({ token: 'BTC', price: 1.5, window: { start: 1 }, note: null })).toEqual([
    { name: 'token', value: 'BTC' },
    { name: 'price', value: '1.5' },
    { name: 'window', value: '{"start":1}' },
    { name: 'note', value: 'null' },
  ])
})

test('a list shows its first entry, and what has no fields shows none', () => {
  expect(exampleFields([{ a: 1 }, { b: 2 }])).toEqual([{ name: 'a', value: '1' }])
  expect([exampleFields([]), exampleFields('text'), exampleFields(null)]).toEqual([[], [], []])
})

test('long values are cut and many fields are left out', () => {
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`f${at}`, 'x'.repeat(100)]))
  const fields = exampleFields(many)
  expect(fields).toHaveLength(10)
  expect(fields[0]?.value).toBe(`${'x'.repeat(47)}…`)
})
