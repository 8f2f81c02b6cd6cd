import { expect, test } from 'vitest'
import { FAILURE_CODES, ServiceError, statusOf } from './service-error.ts'

test.each(FAILURE_CODES)('%s always says what to do next', (code) => {
  const { hint, retryAfterS } = new ServiceError(code, 'it failed')
  expect(hint.length).toBeGreaterThan(10)
  expect(new ServiceError(code, 'it failed', { hint: 'nearer' }).hint).toBe('nearer')
  if (hint.includes('Retry-After') && statusOf(code) !== 409) expect(retryAfterS).toBeGreaterThan(0)
})
