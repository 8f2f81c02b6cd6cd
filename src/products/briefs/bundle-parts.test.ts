import { describe, expect, it } from 'vitest'
import { createManualClock } from '../../core/time/manual-clock.ts'
import type { CoinDerivatives, PerpetualDetail } from '../../intel/derivatives/derivatives-desk.ts'
import type { Part } from '../../intel/part.ts'
import type { SentimentPorts } from '../../intel/sentiment/sentiment.ts'
import {
  freshPart,
  missingPart,
  sentimentPorts,
  sentimentServices,
} from '../../testing/products/hand-made-sentiment.ts'
import { toBundlePart } from './bundle-part.ts'
import { macroPart } from './macro-part.ts'
import { moodPart } from './mood-part.ts'
import type { BriefServices } from './services.ts'

const NOW_MS = Date.UTC(2026, 8, 1, 6, 1)
const MIDNIGHT_MS = Date.UTC(2026, 8, 1)
const OLD_MS = NOW_MS - 200_000
const clock = createManualClock(NOW_MS)
const PORTS = sentimentPorts(clock)
const aged = <T>(part: Part<T>): Part<T> =>
  part.status === 'missing' ? part : { ...part, status: 'aged', asOfMs: OLD_MS }

describe('the mood of a bundle', () => {
  const moodWith = (replaced: Partial<SentimentPorts>) =>
    moodPart({ sentiment: sentimentServices(clock, replaced).sentiment })

  it('is fresh while all of it is, and a day of fear and greed does not make it old', () => {
    const ofMidnight = { ...PORTS.fearGreed(), asOfMs: MIDNIGHT_MS } as ReturnType<typeof PORTS.fearGreed>
    const part = moodWith({ fearGreed: () => ofMidnight })
    expect(part.status).toBe('fresh')
    expect(part.asOfMs).toBeGreaterThan(MIDNIGHT_MS + 1)
  })

  it('is as old and as bad as the worst of what it is made of', () => {
    const { whales, derivatives, fearGreed } = PORTS
    const flow = (coin: 'BTC') => aged(whales.flow(coin))
    expect(moodWith({ whales: { ...whales, flow: flow as typeof whales.flow } })).toMatchObject({
      status: 'aged',
      asOfMs: OLD_MS,
    })
    const perpetual: typeof derivatives.perpetual = (venue, coin) =>
      coin === 'XRP' && venue === 'okx'
        ? aged(derivatives.perpetual(venue, coin))
        : derivatives.perpetual(venue, coin)
    expect(moodWith({ derivatives: { ...derivatives, perpetual } })).toMatchObject({
      status: 'aged',
      asOfMs: OLD_MS,
    })
    expect(moodWith({ fearGreed: () => aged(fearGreed()) }).status).toBe('aged')
    const without = moodWith({ fearGreed: () => missingPart('alternative.me') })
    expect(without).toMatchObject({ status: 'aged', value: { known_weight: 0.8, missing: ['fear_greed'] } })
    expect(toBundlePart(without, String)).toMatchObject({ reason: 'fear_greed is missing: made up' })
    expect(toBundlePart(moodWith({}), String)).not.toHaveProperty('reason')
  })
})

describe('the macro figures of a bundle', () => {
  type Desk = BriefServices['derivatives']
  const NOTHING: CoinDerivatives = {
    ...{ openInterestUsd: undefined, openInterestChange24h: undefined, volume24hUsd: undefined },
    ...{ funding8h: undefined, divergence: undefined, cascade: undefined },
  }
  const detail: PerpetualDetail = {
    ...{ funding8h: 1e-4, intervalHours: 8, nextFundingMs: undefined, openInterestUsd: 1e9, markPrice: 100 },
    ...{ volume24hUsd: undefined, openInterestChange24h: undefined },
  }
  const desk: Desk = {
    perpetual: (venue) => freshPart(venue, detail, NOW_MS),
    liquidations: () => freshPart('bybit', { spanMs: 1, longUsd: 0, shortUsd: 0, count: 0 }, NOW_MS),
    volatility: () => freshPart('binance_candles', 1, NOW_MS),
    overview: () => NOTHING,
    version: () => 1,
  }
  const macroWith = (derivatives: Partial<Desk>, replaced: Partial<SentimentPorts> = {}) =>
    macroPart({
      derivatives: { ...desk, ...derivatives },
      sentiment: sentimentServices(clock, replaced).sentiment,
    })

  it('are fresh while all that they are made of is', () => {
    expect(macroWith({})).toMatchObject({ status: 'fresh', asOfMs: NOW_MS })
  })

  it.each<[string, Partial<Desk>, Partial<SentimentPorts>]>([
    ['the whole market', {}, { wholeMarket: () => aged(PORTS.wholeMarket()) }],
    [
      'one venue of one coin',
      {
        perpetual: (venue, coin) =>
          coin === 'SOL' && venue === 'bybit'
            ? aged(desk.perpetual(venue, coin))
            : desk.perpetual(venue, coin),
      },
      {},
    ],
    ['liquidations', { liquidations: (coin) => aged(desk.liquidations(coin)) }, {}],
    ['volatility', { volatility: (coin) => aged(desk.volatility(coin)) }, {}],
  ])('are as old and as bad as %s', (_, derivatives, replaced) => {
    expect(macroWith(derivatives, replaced)).toMatchObject({ status: 'aged', asOfMs: OLD_MS })
  })

  it('are aged where something is missing, and missing without a venue for BTC', () => {
    expect(macroWith({ volatility: () => missingPart('binance_candles') })).toMatchObject({
      status: 'aged',
      asOfMs: NOW_MS,
    })
    expect(macroWith({ perpetual: (venue) => missingPart(venue) })).toMatchObject({
      status: 'missing',
      reason: 'made up',
    })
  })
})
