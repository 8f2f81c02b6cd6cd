import { describe, expect, it } from 'vitest'
import {
  CONDITION_ID,
  DOWN_TOKEN,
  fiveMinuteEvent,
  fiveMinuteMarket,
  resolvedDown,
  UP_TOKEN,
  WINDOW_START_S,
} from '../../../testing/upstreams/gamma-payloads.ts'
import { UpstreamError } from '../../upstream.ts'
import { parseFiveMinuteMarket } from './five-minute-wire.ts'

const read = (market = {}, event = {}) =>
  parseFiveMinuteMarket(fiveMinuteEvent(market, event), 'BTC', WINDOW_START_S)
const reasonOf = (market = {}, event = {}) => {
  try {
    read(market, event)
  } catch (cause) {
    if (cause instanceof UpstreamError && cause.fault === 'malformed') return cause.message
    throw cause
  }
  return undefined
}
const SPOT = 'https://data.chain.link/streams/btc-usd'

describe('the market of a five-minute window', () => {
  it('is read from its event', () => {
    expect(read()).toEqual({
      coin: 'BTC',
      window: { startS: WINDOW_START_S, endS: WINDOW_START_S + 300 },
      slug: `btc-updown-5m-${WINDOW_START_S}`,
      question: 'Bitcoin Up or Down - September 28, 1:45PM-1:50PM ET',
      conditionId: CONDITION_ID,
      tokens: { up: UP_TOKEN, down: DOWN_TOKEN },
      acceptingOrders: true,
      closed: false,
      tickSize: 0.01,
      minOrderSize: 5,
      fee: { rate: 0.07, exponent: 1 },
      negRisk: false,
      resolution: { kind: 'twap_60s', source: `${SPOT}-twap-60s-streams` },
      outcome: undefined,
      priceToBeat: undefined,
      finalPrice: undefined,
      volumeUsd: 1250.75,
      liquidityUsd: 20400.5,
      version: 'v1',
    })
  })

  it('maps tokens by label, in whichever order they come', () => {
    const turned = read({ outcomes: '["Down", "Up"]', clobTokenIds: JSON.stringify([DOWN_TOKEN, UP_TOKEN]) })
    expect(turned.tokens).toEqual({ up: UP_TOKEN, down: DOWN_TOKEN })
  })

  it('has its outcome once it is closed, not disputed and priced 1 and 0', () => {
    const event = { eventMetadata: { priceToBeat: 64_000.5, finalPrice: 63_999 } }
    expect(read(resolvedDown, event)).toMatchObject({
      outcome: 'DOWN',
      priceToBeat: 64_000.5,
      finalPrice: 63_999,
    })
    expect(read({ ...resolvedDown, outcomes: ['Down', 'Up'] }).outcome).toBe('UP')
    for (const doubt of [
      { closed: false },
      { umaResolutionStatus: 'disputed' },
      { outcomePrices: '["0.5", "0.5"]' },
      { outcomePrices: '["1", "1"]' },
      { outcomePrices: null },
    ])
      expect(read({ ...resolvedDown, ...doubt }).outcome).toBeUndefined()
  })

  it('says what it resolves on, and nothing where its own words differ', () => {
    const kind = (market: object) => read(market).resolution.kind
    expect(kind({ cryptoMarketConfig: null })).toBe('twap_60s')
    expect(kind({ cryptoMarketConfig: null, resolutionSource: SPOT })).toBe('spot')
    expect(kind({ cryptoMarketConfig: { asset: 'btc', twapEnabled: false }, resolutionSource: SPOT })).toBe(
      'spot',
    )
    expect(kind({ resolutionSource: SPOT })).toBe('other')
    expect(kind({ resolutionSource: 'https://example.com' })).toBe('other')
    expect(kind({ cryptoMarketConfig: { asset: 'btc', twapEnabled: true, twapLookbackSeconds: 30 } })).toBe(
      'other',
    )
    expect(kind({ cryptoMarketConfig: { asset: 'eth', twapEnabled: true, twapLookbackSeconds: 60 } })).toBe(
      'other',
    )
  })

  it('keeps another version', () => {
    expect(read({ version: 'v2' }).version).toBe('v2')
    expect(read({ version: null }).version).toBe('unknown')
  })

  it('charges nothing where fees are off', () => {
    expect(read({ feesEnabled: false, feeSchedule: null }).fee).toBeUndefined()
  })

  it.each([
    [{ feeSchedule: null }, 'feeSchedule does not say'],
    [{ feeSchedule: { rate: 0.07 } }, 'feeSchedule does not say'],
    [{ feeSchedule: { rate: 7, exponent: 1 } }, 'feeSchedule.rate'],
    [{ feesEnabled: null }, 'feesEnabled is missing'],
    [{ acceptingOrders: null }, 'acceptingOrders is missing'],
    [{ orderPriceMinTickSize: 0 }, 'orderPriceMinTickSize'],
    [{ orderPriceMinTickSize: '' }, 'orderPriceMinTickSize is missing'],
    [{ orderMinSize: null }, 'orderMinSize is missing'],
    [{ orderMinSize: 'NaN' }, 'orderMinSize is missing'],
    [{ orderMinSize: -5 }, 'orderMinSize'],
    [{ negRisk: 'maybe' }, 'negRisk'],
    [{ conditionId: '0x12' }, 'conditionId'],
    [{ outcomes: '["Yes", "No"]' }, 'not Up and Down'],
    [{ outcomes: '["Up", "Up"]' }, 'not Up and Down'],
    [{ outcomes: '["Up"' }, 'outcomes'],
    [{ outcomes: '["up", "down"]' }, 'not Up and Down'],
    [{ outcomes: '["Up"]', outcomePrices: '["1"]', clobTokenIds: [UP_TOKEN] }, 'not Up and Down'],
    [
      {
        outcomes: '["Up", "Down", "Flat"]',
        outcomePrices: null,
        clobTokenIds: [UP_TOKEN, DOWN_TOKEN, '5'],
      },
      'not Up and Down',
    ],
    [{ outcomePrices: '["0.6"]' }, 'differ in number'],
    [{ clobTokenIds: null }, 'clobTokenIds is missing'],
    [{ clobTokenIds: JSON.stringify([UP_TOKEN, UP_TOKEN]) }, 'one token for both'],
    [{ clobTokenIds: JSON.stringify([UP_TOKEN]) }, 'differ in number'],
    [{ clobTokenIds: JSON.stringify([UP_TOKEN, '0x12']) }, 'clobTokenIds[1]'],
    // The start of the row is not the start of the window.
    [{ eventStartTime: null }, 'eventStartTime'],
    [{ eventStartTime: '2026-09-28T17:40:00Z' }, 'eventStartTime'],
    [{ endDate: '2026-09-28T17:55:00Z' }, 'endDate'],
    [{ slug: 'btc-updown-5m-1790617800' }, 'another window'],
  ])('refuses %j', (market, reason) => {
    expect(reasonOf(market)).toContain(reason)
  })

  it('is not lost to a field that nobody trades by', () => {
    const plain = read()
    for (const slug of [null, 'côte-d-ivoire', 'up or down', 7, ''])
      expect(read({}, { tags: [{ id: '9', slug, label: 'x' }] })).toEqual(plain)
    for (const tags of [null, 'crypto', [null], {}]) expect(read({}, { tags })).toEqual(plain)
    for (const fields of [
      { oneDayPriceChange: 1.2 },
      { lastTradePrice: 'abc', bestBid: 2, bestAsk: [] },
      { updatedAt: 'yesterday', gameStartTime: {} },
      { volume24hr: 'many', volume1wk: -1 },
    ])
      expect(read(fields)).toEqual(plain)
    expect(read({ liquidityNum: -0.01, liquidity: null })).toEqual({ ...plain, liquidityUsd: undefined })
    expect(read({ volumeNum: 1e300 })).toEqual(plain)
    expect(read({ question: null }, { title: null })).toEqual({ ...plain, question: '' })
    for (const eventMetadata of ['none', { priceToBeat: -1, finalPrice: 'x' }])
      expect(read({}, { eventMetadata })).toEqual(plain)
  })

  it('refuses an event that is not the window', () => {
    expect(reasonOf({}, { slug: 'eth-updown-5m-1790617500' })).toContain('another window')
    expect(reasonOf({}, { markets: [] })).toContain('0 markets')
    expect(reasonOf({}, { markets: [fiveMinuteMarket(), fiveMinuteMarket()] })).toContain('2 markets')
    for (const json of [null, undefined, [], 'text', 5])
      expect(() => parseFiveMinuteMarket(json, 'BTC', WINDOW_START_S)).toThrow(UpstreamError)
  })
})
