import { expect, test } from 'vitest'
import { REFUSALS } from './refusal.ts'

test('who only asks for the price may have free calls, so no text says that they are gone', () => {
  expect(REFUSALS.payment_required).toBe('no payment was presented, and this call is not a free one')
})
