import { expect, test } from 'vitest'
import { describeError, errorCode } from './describe-error.ts'

const refused = (address: string) =>
  Object.assign(new Error(`connect ECONNREFUSED ${address}`), { code: 'ECONNREFUSED' })

test('the reason of a failed fetch is shown, not that it failed', async () => {
  const error = await fetch('http://127.0.0.1:2').catch((caught) => caught)
  expect(String(error)).toBe('TypeError: fetch failed')
  expect(describeError(error)).toBe('connect ECONNREFUSED 127.0.0.1:2')
  expect(errorCode(error)).toBe('ECONNREFUSED')
})

test('every address that was tried is named', () => {
  const both = new AggregateError([refused('::1:80'), refused('127.0.0.1:80')])
  expect(describeError(new TypeError('fetch failed', { cause: both }))).toBe(
    'connect ECONNREFUSED ::1:80, connect ECONNREFUSED 127.0.0.1:80',
  )
})

test('a time limit is called one', () => {
  const cause = new DOMException('The operation was aborted due to timeout', 'TimeoutError')
  expect(describeError(new TypeError('fetch failed', { cause }))).toBe('no answer in time')
})

test('an error that says what is wrong is taken at its word', () => {
  expect(describeError(new Error('./data is in use', { cause: new Error('database is locked') }))).toBe(
    './data is in use',
  )
})

test('what says nothing is called by its code or its name, and what is no error by its text', () => {
  expect(describeError(Object.assign(new Error(''), { code: 'EPIPE' }))).toBe('EPIPE')
  expect(describeError(new RangeError(''))).toBe('RangeError')
  expect(describeError('a text')).toBe('a text')
  expect(errorCode(new Error('plain'))).toBeUndefined()
})

test('causes that go in a circle end', () => {
  const error = new TypeError('fetch failed')
  error.cause = error
  expect(describeError(error)).toBe('fetch failed')
})
