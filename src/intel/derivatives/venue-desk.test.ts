import { expect, it } from 'vitest'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../core/time/time.ts'
import type { PerpetualVenue, VenuePerpetual } from '../../upstreams/perpetuals/perpetual-venue.ts'
import { UpstreamError } from '../../upstreams/upstream.ts'
import { createVenueDesk } from './venue-desk.ts'

const START_MS = Date.UTC(2026, 4, 6, 13)
const BTC: VenuePerpetual = {
  fundingRate: 0.00001,
  intervalHours: 1,
  nextFundingMs: undefined,
  markPrice: 100,
  openInterest: 120,
  openInterestUsd: 12_000,
  volume24hUsd: undefined,
}

function open(venue: Partial<PerpetualVenue> = {}) {
  const clock = createManualClock(START_MS)
  const settled = [1, 2, 3].map((days) => ({ atMs: START_MS - 5 * HOUR_MS - days * 5 * DAY_MS, rate: 1e-4 }))
  const desk = createVenueDesk(
    'hyperliquid',
    {
      perpetuals: async () => new Map([['BTC', BTC]]),
      settledFundings: async () => settled,
      ...venue,
    },
    { clock, random: () => 0.5 },
  )
  return { clock, desk }
}

it('tells rates for eight hours, and says what the venue does not have', async () => {
  const { desk } = open()
  expect(desk.perpetual('BTC')).toMatchObject({ status: 'missing', reason: 'not read yet' })
  await desk.start()
  expect(desk.perpetual('BTC')).toMatchObject({ status: 'fresh', asOfMs: START_MS, source: 'hyperliquid' })
  expect(desk.perpetual('BTC').value?.funding8h).toBeCloseTo(0.00008, 12)
  expect(desk.perpetual('ETH')).toMatchObject({ status: 'missing', reason: 'the source does not have it' })
  desk.stop()
})

it('knows the change of a day from the history of the venue', async () => {
  const pastOpenInterest = async () => [
    { atMs: START_MS - DAY_MS, openInterest: 100 },
    { atMs: START_MS + DAY_MS, openInterest: 1 },
  ]
  const { desk } = open({ pastOpenInterest })
  await desk.start()
  expect(desk.perpetual('BTC').value?.openInterestChange24h).toBeCloseTo(0.2, 12)
  desk.stop()
})

it('takes what is usual from a week only', async () => {
  const { desk } = open()
  await desk.start()
  // Of the settlements five, ten and fifteen days ago only one is younger.
  expect(desk.pastFunding('BTC').size).toBe(1)
  desk.stop()
})

it('ages, goes missing with the reason, and counts its reads', async () => {
  let isDown = false
  const { clock, desk } = open({
    async perpetuals() {
      if (isDown) throw new UpstreamError('down', 'no connection')
      return new Map([['BTC', BTC]])
    },
  })
  await desk.start()
  const reads = desk.reads()
  isDown = true
  clock.advance(90 * SECOND_MS)
  expect(desk.perpetual('BTC').status).toBe('fresh')
  clock.advance(1)
  expect(desk.perpetual('BTC').status).toBe('aged')
  clock.advanceTo(START_MS + 5 * MINUTE_MS)
  expect(desk.perpetual('BTC').status).toBe('aged')
  clock.advance(1)
  await new Promise((resolve) => setImmediate(resolve))
  expect(desk.perpetual('BTC')).toMatchObject({
    status: 'missing',
    reason: 'too old; the source does not answer',
  })
  expect(desk.reads()).toBe(reads)
  desk.stop()
})
