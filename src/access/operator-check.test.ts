import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { secret } from '../core/secret.ts'
import { ServiceError } from '../core/service-error.ts'
import { createManualClock } from '../core/time/manual-clock.ts'
import { createOperatorCheck } from './operator-check.ts'

const KEY = 'correct-horse-battery-staple'

function worldOf(key: string | undefined = KEY) {
  const clock = createManualClock(0)
  const clientKey = (request: IncomingMessage) => String(request.headers.host)
  const check = createOperatorCheck({ clock, clientKey, key: key === undefined ? undefined : secret(key) })
  const ask = (authorization: string | undefined, host = 'a') => {
    try {
      return check({ headers: { authorization, host } } as unknown as IncomingMessage, 'trade')
    } catch (error) {
      if (error instanceof ServiceError) return error.code
      throw error
    }
  }
  return { clock, ask }
}

test('the key opens, whatever the case of the scheme', () => {
  const { ask } = worldOf()
  expect(ask(`Bearer ${KEY}`)).toEqual({ kind: 'operator', client: 'a', scope: 'trade' })
  expect(ask(`bearer  ${KEY}`)).toMatchObject({ kind: 'operator' })
})

test.each([
  undefined,
  '',
  'Bearer',
  'Bearer ',
  KEY,
  `Basic ${KEY}`,
  `Bearer ${KEY} x`,
  `Bearer ${KEY.slice(1)}`,
  `Bearer ${KEY}x`,
  `Bearer ${KEY.toUpperCase()}`,
  `Bearer ${'x'.repeat(600)}`,
])('%j does not', (authorization) => {
  expect(worldOf().ask(authorization)).toBe('unauthorized')
})

test('without a configured key nobody is the operator', () => {
  const { ask } = worldOf('')
  expect(ask('Bearer x')).toBe('unauthorized')
  expect(createOperatorCheckWithoutKey()).toBe('unauthorized')
})

function createOperatorCheckWithoutKey() {
  const check = createOperatorCheck({
    clock: createManualClock(0),
    clientKey: () => 'a',
    key: undefined,
  })
  try {
    return check({ headers: { authorization: 'Bearer undefined' } } as IncomingMessage, 'read')
  } catch (error) {
    return (error as ServiceError).code
  }
}

test('who guesses is told to wait; the right key opens all the same', () => {
  const { ask, clock } = worldOf()
  for (let n = 0; n < 5; n++) expect(ask('Bearer wrong')).toBe('unauthorized')
  expect(ask('Bearer wrong')).toBe('rate_limited')
  expect(ask(`Bearer ${KEY}`)).toMatchObject({ kind: 'operator' })
  expect(ask('Bearer wrong', 'b')).toBe('unauthorized')
  clock.advance(1_000)
  expect(ask('Bearer wrong')).toBe('unauthorized')
  clock.advance(1_000)
  expect(ask('Bearer wrong')).toBe('rate_limited')
  clock.advance(1_000)
  expect(ask('Bearer wrong')).toBe('unauthorized')
  clock.advance(700_000)
  for (let n = 0; n < 5; n++) expect(ask('Bearer wrong')).toBe('unauthorized')
  expect(ask('Bearer wrong')).toBe('rate_limited')
})

test('a missing credential is no guess', () => {
  const { ask } = worldOf()
  for (let n = 0; n < 50; n++) ask(undefined)
  expect(ask(`Bearer ${KEY}`)).toMatchObject({ kind: 'operator' })
})
