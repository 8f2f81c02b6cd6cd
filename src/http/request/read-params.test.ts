import { expect, test } from 'vitest'
import { z } from 'zod'
import { createReadParams } from './read-params.ts'
import { ValidationError } from './validation.ts'

const read = createReadParams({
  schema: z.object({
    active: z.boolean().default(true),
    limit: z.int().min(1).max(100).default(30),
    volume: z.number().min(0).default(0),
    coin: z.enum(['btc', 'eth']).optional(),
  }),
})

function wrongIn(query: string): string[] {
  try {
    read({}, new URLSearchParams(query))
    return []
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error
    return error.issues.map(({ loc, msg }) => `${loc.join(' ')} ${msg}`)
  }
}

test.each([
  ['active=False', 'query active must be true or false'],
  ['active=0', 'query active must be true or false'],
  ['active=', 'query active must be true or false'],
  ['limit=1.5', 'query limit must be a whole number, such as 30'],
  ['limit=x', 'query limit must be a whole number, such as 30'],
  ['volume=1e12', 'query volume must be a plain decimal number, such as 30 or 0.5'],
  ['volume=.5', 'query volume must be a plain decimal number, such as 30 or 0.5'],
])('%s is refused with what would be accepted', (query, message) => {
  expect(wrongIn(query)).toEqual([message])
})

test('a number beyond its bounds and a wrong choice are told in our words', () => {
  expect(wrongIn('limit=101')).toEqual(['query limit must be at most 100'])
  expect(wrongIn('coin=doge')).toEqual(['query coin must be one of btc, eth'])
  expect(wrongIn('limit=100&active=false&volume=0.5&coin=eth')).toEqual([])
})
