import { expect, test } from 'vitest'
import { paidResourceOf } from './paid-resource.ts'
import type { Target } from './target.ts'

const targetOf = (path: string, query?: string): Target => ({
  path,
  logged: path,
  rawQuery: '',
  query: query === undefined ? undefined : new URLSearchParams(query),
  values: {},
  routes: new Map(),
})

test.each([
  ['/price/BTC', undefined, '/price/BTC'],
  ['/price/BTC', '', '/price/BTC'],
  ['/price/BTC', 'demo=0&x402_version=1&max_age=3', '/price/BTC'],
  ['/signals', 'demo=0&coins=btc, eth', '/signals?coins=btc%2C+eth'],
])('%s?%s is paid for as %s', (path, query, resource) => {
  expect(paidResourceOf(targetOf(path, query))).toBe(resource)
})

test('one that is too long for a header is refused, whatever is in it', () => {
  expect(paidResourceOf(targetOf(`/${'x'.repeat(249)}`))).toHaveLength(250)
  for (const target of [targetOf(`/${'x'.repeat(250)}`), targetOf('/signals', `coins=${','.repeat(100)}`)])
    expect(() => paidResourceOf(target)).toThrow(expect.objectContaining({ code: 'address_too_long' }))
})
