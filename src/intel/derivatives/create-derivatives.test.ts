import { expect, it } from 'vitest'
import { createManualClock } from '../../core/time/manual-clock.ts'
import type { PerpetualVenue, VenuePerpetual } from '../../upstreams/perpetuals/perpetual-venue.ts'
import { createDerivatives } from './create-derivatives.ts'
import { DERIVATIVES_VENUES, type DerivativesVenue } from './derivatives.ts'

const START_MS = Date.UTC(2026, 4, 6, 13)
const USUAL: VenuePerpetual = {
  fundingRate: 0.0001,
  intervalHours: 8,
  nextFundingMs: undefined,
  markPrice: 100_000,
  openInterest: 10_000,
  openInterestUsd: 1e9,
  volume24hUsd: 1e9,
}
const quiet = {
  totals: () => undefined,
  burst: () => undefined,
  heardMs: () => undefined,
  count: 0,
  skipped: 0,
  start() {},
  stop() {},
}

async function read(odd: Partial<Record<DerivativesVenue, Partial<VenuePerpetual>>>, spot?: number) {
  const venueOf = (name: DerivativesVenue): PerpetualVenue => ({
    perpetuals: async () => new Map([['BTC', { ...USUAL, ...odd[name] }]]),
    settledFundings: async () => [],
  })
  const derivatives = createDerivatives({
    clock: createManualClock(START_MS),
    random: () => 0.5,
    venues: {
      binance: venueOf('binance'),
      bybit: venueOf('bybit'),
      okx: venueOf('okx'),
      hyperliquid: venueOf('hyperliquid'),
    },
    liquidations: quiet,
    market: {
      candles: () => [],
      price: () =>
        spot === undefined
          ? undefined
          : { price: spot, asOfMs: START_MS, source: 'coinbase_mid', venues: ['coinbase'], version: 1 },
    },
  })
  await derivatives.start()
  derivatives.stop()
  return {
    overview: derivatives.overview('BTC'),
    reasons: DERIVATIVES_VENUES.map((venue) => derivatives.perpetual(venue, 'BTC').reason),
  }
}

it.each([
  ['a price', { markPrice: 1e9, openInterestUsd: 4e10 }, 'its price is too far from the market'],
  ['a rate', { fundingRate: 0.01, intervalHours: 1 }, 'its funding rate is too high to be true'],
  ['open interest', { openInterestUsd: 5.1e10 }, 'its open interest is too high to be true'],
  ['more open', { openInterestUsd: 1.01e10 }, 'its open interest is too far above the other venues'],
  ['a lonely rate', { fundingRate: 0.0102 }, 'its funding rate is too far from every other venue'],
])('%s of one venue that cannot be does not decide the figures of all', async (_, odd, reason) => {
  const { overview, reasons } = await read({ okx: { fundingRate: 0.03, ...odd } })
  expect(reasons).toEqual([undefined, undefined, reason, undefined])
  expect(overview.openInterestUsd).toBe(3e9)
  expect(overview.funding8h).toBeCloseTo(0.0001, 12)
  expect(overview.divergence?.spread8h).toBeCloseTo(0, 12)
})

it.each([
  [80_000, 120_000, [undefined, undefined]],
  [79_999, 120_001, ['its price is too far from the market', 'its price is too far from the market']],
])('takes prices of %d and %d by our own spot price', async (low, high, expected) => {
  const { reasons } = await read({ binance: { markPrice: low }, bybit: { markPrice: high } }, 100_000)
  expect(reasons).toEqual([...expected, undefined, undefined])
})

it('calls nobody implausible for what only the odd one says', async () => {
  const far = { okx: { fundingRate: 0.0099 }, bybit: { openInterestUsd: 1e10 } }
  expect((await read(far)).reasons).toEqual([undefined, undefined, undefined, undefined])
})

it('gives one venue no more than half of the weight', async () => {
  const { overview } = await read({ okx: { fundingRate: 0.0099, openInterestUsd: 9e9 } })
  expect(overview.funding8h).toBeCloseTo((0.0099 + 0.0001) / 2, 12)
})

it('trusts its own price more than that of all venues', async () => {
  expect((await read({}, 50_000)).overview).toMatchObject({
    openInterestUsd: undefined,
    funding8h: undefined,
  })
})
