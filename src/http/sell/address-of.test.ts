import { expect, test } from 'vitest'
import { z } from 'zod'
import { paid } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { usd } from '../../core/money.ts'
import { listed } from '../../testing/catalog/group-of.ts'
import { ValidationError } from '../request/validation.ts'
import { createAddressOf } from './address-of.ts'

const boat = listed(
  defineEndpoint({
    id: 'test.boat',
    method: 'GET',
    path: '/boats/{name}',
    access: paid(usd('0.01')),
    summary: 'A boat',
    description: 'Made to see which address arguments lead to.',
    params: z.object({
      name: z.string(),
      sails: z.int().default(2),
      afloat: z.boolean().optional(),
      flag: z.string().optional(),
    }),
    sample: { name: 'ann' },
    response: z.object({}),
    example: {},
    handle: () => ({}),
  }),
)
const addressOf = createAddressOf(boat)

test.each<[string, unknown, string]>([
  ['only what is given', { name: 'ann' }, '/boats/ann'],
  [
    'one order, whatever the order of the arguments',
    { flag: 'x', afloat: true, sails: 3, name: 'ann' },
    '/boats/ann?sails=3&afloat=true&flag=x',
  ],
  ['numbers as text too', { sails: '3', name: 'ann' }, '/boats/ann?sails=3'],
  ['nothing for null', { name: 'ann', flag: null }, '/boats/ann'],
  ['no other path', { name: '../a/b?c#d' }, '/boats/..%2Fa%2Fb%3Fc%23d'],
  ['no other params', { name: 'ann', flag: 'a&sails=9' }, '/boats/ann?flag=a%26sails%3D9'],
  ['what steers the payment', { name: 'ann', demo: '0', max_age: 5 }, '/boats/ann?demo=0&max_age=5'],
])('makes %s', (_, args, address) => {
  expect(addressOf(args)).toBe(address)
})

test.each<[string, unknown, string]>([
  ['no arguments', undefined, 'name'],
  ['an empty name', { name: '' }, 'name'],
  ['a number as text', { name: 7 }, 'name'],
  ['a list', { name: ['ann'] }, 'name'],
  ['half a character in the path', { name: '\ud800' }, 'name'],
  ['half a character in the query', { name: 'ann', flag: 'x\udfff' }, 'flag'],
  ['text as a boolean', { name: 'ann', afloat: 1 }, 'afloat'],
  ['a name that it does not know', { name: 'ann', mast: 3 }, 'mast'],
])('refuses %s and names the argument', (_, args, name) => {
  const refused = () => addressOf(args)
  expect(refused).toThrow(ValidationError)
  try {
    refused()
  } catch (error) {
    expect((error as ValidationError).issues.map(({ loc }) => loc)).toEqual([['arguments', name]])
  }
})

test('what it does not know is told with the nearest name, in a path too, or with all', () => {
  const issues = (args: object) => {
    try {
      return addressOf(args)
    } catch (error) {
      return (error as ValidationError).issues.map(({ loc, msg }) => `${loc[1]} ${msg}`)
    }
  }
  expect(issues({ nam: 'ann' })).toEqual(['nam is not known here; the nearest is name', 'name is required'])
  expect(issues({ name: 'ann', keel: 1 })).toEqual([
    'keel is not known here; known are name, sails, afloat, flag, demo, x402_version, max_age',
  ])
})

test.each([['BTC'], [[]], [7], [true]])('refuses %j in place of arguments', (args) => {
  expect(() => addressOf(args)).toThrow(ValidationError)
})
