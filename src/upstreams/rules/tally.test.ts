import { expect, test } from 'vitest'
import { UpstreamError } from '../upstream.ts'
import { createTally } from './tally.ts'

const refusal = (status: number) => new UpstreamError('refused', `GET /x: answered ${status}`, { status })
const lastErrorAfter = (...errors: UpstreamError[]) => {
  const tally = createTally('gamma', { now: () => 0 })
  errors.forEach(tally.failed)
  return tally.counters('ok').lastError
}

test.each([400, 422])(
  'a %d says something about the request, and is no trouble of the provider',
  (status) => {
    expect(lastErrorAfter(refusal(status))).toBeUndefined()
  },
)

test.each([401, 403, 429, 451])('a %d is one', (status) => {
  expect(lastErrorAfter(refusal(status))).toBe(`refused: GET /x: answered ${status}`)
})

test('what somebody asks for does not end a trouble either', () => {
  const down = new UpstreamError('down', 'GET /x: answered 503', { status: 503 })
  expect(lastErrorAfter(down, refusal(400))).toBe('down: GET /x: answered 503')
})
