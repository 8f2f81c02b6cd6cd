import { describe, expect, it } from 'vitest'
import { HOUR_MS } from '../../core/time/time.ts'
import { toPart } from '../part.ts'
import { ETF_AGES, toEtfFlows } from './etf-flows.ts'

const day = (date: string, netInflowUsd: number) => ({
  dayMs: Date.parse(date),
  netInflowUsd,
  tradedUsd: undefined,
  assetsUsd: undefined,
  sinceStartUsd: undefined,
})
const skipped = { count: 0, reasons: [] }
// Monday the 12th to Friday the 16th of January 2026.
const WEEK = [
  day('2026-01-16', 30),
  day('2026-01-15', 20),
  day('2026-01-14', -10),
  day('2026-01-13', 5),
  day('2026-01-12', 1),
]
const at = (time: string, days = WEEK) => {
  const nowMs = Date.parse(time)
  return toEtfFlows({ value: { days, skipped }, asOfMs: nowMs }, nowMs)
}

describe('flows of funds', () => {
  it('are as of the close of their last day', () => {
    const found = at('2026-01-19T12:00:00Z')
    expect(found).toMatchObject({
      asOfMs: Date.parse('2026-01-16T21:00:00Z'),
      value: { net5dUsd: 46, streak: 2, weekdaysMissing: 0 },
    })
  })

  it.each([
    ['2026-01-19T12:00:00Z', 0],
    // Monday is due on Tuesday morning at six.
    ['2026-01-20T05:59:59Z', 0],
    ['2026-01-20T06:00:00Z', 1],
    ['2026-01-24T23:00:00Z', 5],
  ])('at %s lack %d weekdays', (time, missing) => {
    expect(at(time)?.value.weekdaysMissing).toBe(missing)
  })

  it.each([
    ['2026-01-19T23:00:00Z', 'fresh'],
    ['2026-01-21T12:00:00Z', 'aged'],
    ['2026-01-31T00:00:00Z', 'missing'],
  ])('at %s are %s', (time, status) => {
    const nowMs = Date.parse(time)
    expect(toPart({ source: 's', ages: ETF_AGES, nowMs }, at(time)).status).toBe(status)
  })

  it('count days in a row by their direction', () => {
    expect(at('2026-01-17T12:00:00Z', WEEK.slice(2, 3))?.value).toMatchObject({
      streak: -1,
      net5dUsd: undefined,
    })
    expect(at('2026-01-17T12:00:00Z', [day('2026-01-16', 0)])?.value.streak).toBe(0)
    expect(at('2026-01-17T12:00:00Z', WEEK.slice(0, 2))?.value.streak).toBe(2)
  })

  it.each([
    ['2026-01-15T00:00:00Z', '2026-01-14'],
    ['2026-01-16T20:59:59Z', '2026-01-15'],
    ['2026-01-16T21:00:00Z', '2026-01-16'],
  ])('at %s end with %s: a day that is under way does not count', (time, last) => {
    const lastDayMs = Date.parse(last)
    expect(at(time)).toMatchObject({ asOfMs: lastDayMs + 21 * HOUR_MS, value: { lastDayMs } })
  })

  it('are nothing without a day that is over', () => {
    expect(at('2026-01-12T12:00:00Z')).toBeUndefined()
    expect(at('2026-01-12T21:00:00Z')?.value).toMatchObject({ streak: 1, net5dUsd: undefined })
  })
})
