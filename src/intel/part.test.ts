import { expect, test } from 'vitest'
import { createManualClock } from '../core/time/manual-clock.ts'
import { UpstreamError } from '../upstreams/upstream.ts'
import { LATE_REASON, mapPart, readPart, toPart } from './part.ts'

const ages = { freshMs: 10, hardMs: 20 }
const at = (nowMs: number) => toPart({ source: 's', ages, nowMs }, { value: 7, asOfMs: 0 })

test('both ages belong to what they end, and a clock that was set back makes nothing missing', () => {
  expect([at(10), at(11), at(20)].map(({ status }) => status)).toEqual(['fresh', 'aged', 'aged'])
  expect(at(21)).toMatchObject({ status: 'missing', reason: expect.stringContaining('too old') })
  expect(at(-5).status).toBe('fresh')
})

test('what is missing says why, and stays missing when it is changed', () => {
  const fault = new UpstreamError('down', 'secret host')
  const part = toPart<number>({ source: 's', ages, nowMs: 0 }, undefined, fault)
  expect(part).toEqual({ source: 's', status: 'missing', reason: 'the source does not answer' })
  expect(mapPart(part, (value) => value + 1)).toBe(part)
  expect(mapPart(at(0), (value) => value + 1)).toMatchObject({ value: 8, status: 'fresh' })
})

test('a source that says it does not have it has answered; one that is down has not', async () => {
  const clock = createManualClock(0)
  const partOf = (fault: UpstreamError['fault']) =>
    readPart({
      ...{ source: 's', ages, clock, limitMs: 5 },
      read: () => Promise.reject(new UpstreamError(fault, 'x')),
    })
  expect(await partOf('not_found')).toMatchObject({ status: 'missing', isDenied: true })
  for (const fault of ['down', 'refused', 'malformed', 'busy'] as const)
    expect(await partOf(fault)).not.toHaveProperty('isDenied')
})

test('a reader that never answers is late at its limit', async () => {
  const clock = createManualClock(0)
  const reading = readPart({ source: 's', ages, clock, limitMs: 5, read: () => new Promise<never>(() => {}) })
  clock.advance(5)
  expect(await reading).toEqual({ source: 's', status: 'missing', reason: LATE_REASON })
  expect(LATE_REASON).toMatch(/^late/)
})
