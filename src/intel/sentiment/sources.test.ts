import { describe, expect, it } from 'vitest'
import type { Coin } from '../../core/coin.ts'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/time/time.ts'
import type { Venue } from '../../feeds/events.ts'
import type { Candle } from '../../market/candles.ts'
import { freshPart, sentimentPorts } from '../../testing/products/hand-made-sentiment.ts'
import { signalAt, signalsOf } from '../../testing/products/hand-made-signals.ts'
import { UpstreamError } from '../../upstreams/upstream.ts'
import { createFearGreedSource } from './fear-greed.ts'
import { createMarketMomentum } from './market-momentum.ts'
import { createSentiment } from './sentiment.ts'
import { createWholeMarketSource } from './whole-market.ts'

const START_MS = Date.UTC(2026, 8, 1, 6)
const MIDNIGHT_MS = Date.UTC(2026, 8, 1)
const random = () => 0.5

describe('fear and greed', () => {
  const day = (back: number, value: number, word?: 'Fear') => ({
    value,
    word,
    atMs: MIDNIGHT_MS - back * DAY_MS,
    nextInS: undefined,
  })

  it('has the time of its day, not of the request, and the values before', async () => {
    const clock = createManualClock(START_MS)
    const index = { days: async () => [day(0, 31, 'Fear'), day(1, 40), day(7, 55)] }
    const source = createFearGreedSource({ clock, random, index })
    expect(source.read()).toMatchObject({ status: 'missing', reason: 'not read yet' })
    await source.start()
    expect(source.read()).toEqual({
      source: 'alternative.me',
      status: 'fresh',
      asOfMs: MIDNIGHT_MS,
      value: { value: 31, word: 'Fear', dayAgo: 40, weekAgo: 55, monthAgo: undefined },
    })
    source.stop()
  })

  it.each([
    [26 * HOUR_MS, 'fresh'],
    [26 * HOUR_MS + 1, 'aged'],
    [50 * HOUR_MS, 'aged'],
    [50 * HOUR_MS + 1, 'missing'],
  ])('of %d ms ago is %s', async (ageMs, status) => {
    const clock = createManualClock(MIDNIGHT_MS + ageMs)
    const source = createFearGreedSource({ clock, random, index: { days: async () => [day(0, 31)] } })
    await source.start()
    expect(source.read().status).toBe(status)
    source.stop()
  })

  it.each([
    [25, 'Extreme Fear'],
    [26, 'Fear'],
    [47, 'Neutral'],
    [55, 'Greed'],
    [76, 'Extreme Greed'],
  ])('%d without a word is %s', async (value, word) => {
    const clock = createManualClock(START_MS)
    const source = createFearGreedSource({ clock, random, index: { days: async () => [day(0, value)] } })
    await source.start()
    expect(source.read().value?.word).toBe(word)
    source.stop()
  })

  it('is not taken from a day that has not begun', async () => {
    const clock = createManualClock(START_MS)
    const readOf = async (...days: ReturnType<typeof day>[]) => {
      const source = createFearGreedSource({ clock, random, index: { days: async () => days } })
      await source.start()
      source.stop()
      return source.read()
    }
    expect(await readOf(day(-20_000, 99), day(-1, 90), day(0, 31), day(1, 40))).toMatchObject({
      status: 'fresh',
      asOfMs: MIDNIGHT_MS,
      value: { value: 31, dayAgo: 40 },
    })
    expect(await readOf(day(-1, 90))).toMatchObject({
      status: 'missing',
      reason: 'the source has no day that has begun',
    })
  })

  it('of a provider that is down says so', async () => {
    const clock = createManualClock(START_MS)
    const down = createFearGreedSource({
      clock,
      random,
      index: { days: () => Promise.reject(new UpstreamError('down', 'secret words')) },
    })
    await down.start()
    expect(down.read()).toMatchObject({ status: 'missing', reason: 'the source does not answer' })
    down.stop()
  })
})

it('the whole market has the time that the provider says', async () => {
  const clock = createManualClock(START_MS)
  const { wholeMarket } = sentimentPorts(clock)
  const value = { ...wholeMarket().value, atMs: START_MS - 30 * MINUTE_MS } as never
  const source = createWholeMarketSource({ clock, random, coingecko: { global: async () => value } })
  await source.start()
  expect(source.read()).toMatchObject({ status: 'aged', asOfMs: START_MS - 30 * MINUTE_MS })
  source.stop()
})

describe('momentum of the market', () => {
  const candlesTo = (newestMs: number, count = 1_500): Candle[] =>
    Array.from({ length: count }, (_, i) => {
      const openMs = newestMs - (count - 1 - i) * MINUTE_MS
      const close = 100 + ((openMs / MINUTE_MS) % 7)
      const prices = { open: close, high: close, low: close, close }
      const flags = { complete: true, isFinal: true, isLost: false }
      return { openMs, ...prices, volume: 1, takerBuyVolume: 1, trades: 1, ...flags }
    })
  const marketOf = (byVenue: Partial<Record<Venue, Candle[]>>) => {
    const reads = { long: 0 }
    return {
      reads,
      candles(venue: Venue, _: Coin, count: number) {
        if (count > 1) reads.long++
        return byVenue[venue]?.slice(-count) ?? []
      },
    }
  }

  it('is of closed minutes, and computed once for each', () => {
    const clock = createManualClock(START_MS + 20_000)
    const market = marketOf({ binance: candlesTo(START_MS) })
    const momentum = createMarketMomentum({ clock, market })
    expect(momentum('BTC')).toMatchObject({ source: 'binance_candles', status: 'fresh', asOfMs: START_MS })
    momentum('BTC')
    expect(market.reads.long).toBe(1)
    clock.advance(40_000)
    expect(momentum('BTC')).toMatchObject({ asOfMs: START_MS + MINUTE_MS })
    expect(market.reads.long).toBe(2)
  })

  it('is of the other venue where the first is silent, and missing where both are', () => {
    const clock = createManualClock(START_MS)
    const old = candlesTo(START_MS - 10 * MINUTE_MS)
    const other = marketOf({ binance: old, coinbase: candlesTo(START_MS) })
    expect(createMarketMomentum({ clock, market: other })('ETH')).toMatchObject({
      source: 'coinbase_candles',
    })
    for (const market of [marketOf({}), marketOf({ binance: old, coinbase: candlesTo(START_MS, 60) })])
      expect(createMarketMomentum({ clock, market })('ETH')).toMatchObject({
        source: 'binance_candles',
        status: 'missing',
        reason: 'too few minutes of trading are known',
      })
  })
})

describe('sentiment', () => {
  const clock = createManualClock(START_MS + 60_000)
  const ports = sentimentPorts(clock)

  it('blends all parts', () => {
    const { score, parts } = createSentiment(ports).composite('BTC')
    expect(parts.map(({ name, part }) => [name, part.value?.score])).toEqual([
      ['fear_greed', 0.4],
      ['momentum', 0.5],
      ['whale_flow', 0.375],
      ['funding', expect.closeTo(Math.tanh(1), 12)],
      ['prediction_market', expect.closeTo(0.3, 12)],
      ['signal', expect.closeTo(0.2, 12)],
    ])
    const expected = 0.2 * 0.4 + 0.35 * 0.5 + 0.2 * 0.375 + 0.15 * Math.tanh(1) + 0.05 * 0.3 + 0.05 * 0.2
    expect(score).toBeCloseTo(expected, 12)
    expect(createSentiment(ports).basic('BTC').score).toBeCloseTo(0.3 * 0.4 + 0.4 * 0.5 + 0.3 * 0.375, 12)
  })

  it('takes nothing of a window that is over, and a signal that abstains as a coin flip', () => {
    const partOf = (signal: ReturnType<typeof signalAt>) => {
      const made = createSentiment({ ...ports, signals: signalsOf(() => signal) })
      return {
        part: made.composite('BTC').parts.find(({ name }) => name === 'signal')?.part,
        regime: made.regime('BTC'),
      }
    }
    const over = partOf(signalAt('BTC', START_MS - 1, 0.9))
    expect(over.part).toMatchObject({ status: 'missing', reason: 'no signal of the open window' })
    expect(over.regime.status).toBe('missing')
    expect(partOf(signalAt('BTC', clock.now(), 0.505)).part?.value).toEqual({
      score: 0,
      reading: 0.505,
      abstain: true,
    })
    expect(partOf(signalAt('BTC', clock.now(), 0.9)).regime.value).toBe('neutral')
  })

  it('does not take what it did not hear for a balance', () => {
    const unheard = {
      ...{ spanMs: 3_600_000, buyUsd: 0, sellUsd: 0, trades: 0 },
      ownMs: { binance: 0, coinbase: 0 },
    }
    const whales = { flow: () => freshPart('coinlobster', unheard, clock.now()) }
    const { weightKnown, parts } = createSentiment({ ...ports, whales }).basic('BTC')
    expect(weightKnown).toBeCloseTo(0.7, 12)
    expect(parts.find(({ name }) => name === 'whale_flow')).toMatchObject({
      weightUsed: 0,
      part: { status: 'missing', reason: /^trades were heard in 0 minutes/ },
    })
  })

  it('takes no odds of an empty or a crossed book', () => {
    const oddsOf = (bids: [number, number][], asks: [number, number][]) => {
      const open = ports.fiveMinute.open('BTC')
      const fiveMinute = { open: () => open && { ...open, up: { ...open.up, bids, asks } } }
      const { parts } = createSentiment({ ...ports, fiveMinute }).composite('BTC')
      return parts.find(({ name }) => name === 'prediction_market')?.part
    }
    expect(oddsOf([[0.4, 1]], [[0.5, 1]])?.value?.reading).toBeCloseTo(0.45, 12)
    for (const part of [oddsOf([], [[0.5, 1]]), oddsOf([[0.4, 1]], []), oddsOf([[0.6, 1]], [[0.5, 1]])])
      expect(part).toMatchObject({ status: 'missing', reason: 'no book with a bid and an ask' })
  })

  it('tells of changes once a second', () => {
    const own = createManualClock(Math.floor(START_MS / 1000) * 1000)
    const { changes } = createSentiment({ ...ports, clock: own })
    const before = changes()
    own.advance(999)
    expect(changes()).toBe(before)
    own.advance(1)
    expect(changes()).not.toBe(before)
  })
})
