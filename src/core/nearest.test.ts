import { expect, test } from 'vitest'
import { findNearest } from './nearest.ts'

const KNOWN = ['coins', 'format', 'demo', 'x402_version', 'max_age']

test.each([
  ['coin', 'coins'],
  ['COINS', 'coins'],
  ['cions', 'coins'],
  ['fromat', 'format'],
  ['dmeo', 'demo'],
  ['maxage', 'max_age'],
  ['max-age', 'max_age'],
  ['x402version', 'x402_version'],
  ['x402', 'x402_version'],
  ['formatting_of_all', 'format'],
])('%s was probably meant to be %s', (text, name) => {
  expect(findNearest(text, KNOWN)).toBe(name)
})

test.each(['', 'x', 'fo', 'utm_source', 'token', 'symbol', '__proto__', 'd', `coins${'s'.repeat(200)}`])(
  '%s is near nothing',
  (text) => {
    expect(findNearest(text, KNOWN)).toBeUndefined()
  },
)

test('the nearest of several is chosen, and of equals the first', () => {
  expect(findNearest('bat', ['bit', 'bats', 'bat'])).toBe('bat')
  expect(findNearest('from', ['form', 'foam'])).toBe('form')
})
