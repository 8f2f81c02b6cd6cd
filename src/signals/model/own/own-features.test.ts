import { expect, test } from 'vitest'
import { VENUES } from '../../../feeds/events.ts'
import { DEPTHS, type MinuteSample, type SampleField, toSample } from '../../samples/minute-sample.ts'
import { fillOwnFeatures, OWN_FEATURES } from './own-features.ts'

const END_MS = 1_767_614_400_000
const LOGIT = 0.4

function featuresOf(sample: MinuteSample | undefined, { isFirst = false, logit = LOGIT } = {}) {
  const out = new Float64Array(OWN_FEATURES.length).fill(9)
  const sampleAt = (endMs: number) => (endMs < END_MS && isFirst ? undefined : sample)
  fillOwnFeatures(out, { endMs: END_MS, sampleAt, unit: 1e-3, logit })
  return Object.fromEntries(OWN_FEATURES.map((name, at) => [name, out[at]]))
}

/** `side` −1 is the same market in a mirror. */
function full(side: 1 | -1): Partial<Record<SampleField, number>> {
  const [more, less] = side === 1 ? [3, 1] : [1, 3]
  const venues = VENUES.flatMap((venue) => [
    ...DEPTHS.map((levels) => [`${venue}_imbalance_${levels}`, 0.3 * side]),
    [`${venue}_buy`, more],
    [`${venue}_sell`, less],
    [`${venue}_book_age_ms`, 90],
  ])
  const mids = { binance_mid: 100 * Math.exp(2e-4 * side), coinbase_mid: 100, basis_bps: 0.5 * side }
  const odds = { up_bid: 0.5 + 0.1 * side - 0.01, up_ask: 0.5 + 0.1 * side + 0.01, up_age_ms: 5 }
  return { late_ms: 0, ...Object.fromEntries(venues), ...mids, ...odds, funding_bps: 0.7 * side }
}

const zeros = Object.fromEntries(OWN_FEATURES.map((name) => [name, 0]))

test('what is unknown is 0: without a sample, with an empty one, and each group alone', () => {
  expect(featuresOf(undefined)).toEqual(zeros)
  expect(featuresOf(toSample({ late_ms: 3 }))).toEqual(zeros)
  const { funding_bps: _, ...rest } = full(1)
  expect(featuresOf(toSample(rest))).toEqual({ ...featuresOf(toSample(full(1))), funding: 0 })
  const old = { ...full(1), binance_book_age_ms: 10_001, up_age_ms: 10_001 }
  const seen = featuresOf(toSample(old))
  expect([seen.binance_imbalance_5, seen.lead, seen.market_gap]).toEqual([0, 0, 0])
  expect(seen.coinbase_imbalance_5).toBeCloseTo(2 * Math.tanh(0.15), 12)
  expect(featuresOf(toSample(full(1)), { isFirst: true })).toMatchObject({ binance_flow_5: 0 })
})

test('a prediction market with one empty side still has a price, with two it has none', () => {
  const gapOf = (odds: Partial<Record<SampleField, number>>) =>
    featuresOf(toSample({ late_ms: 0, up_age_ms: 1, ...odds })).market_gap
  expect(gapOf({ up_bid: 0.94 })).toBeCloseTo(2 * Math.tanh((Math.log(0.97 / 0.03) - LOGIT) / 2), 9)
  expect(gapOf({ up_ask: 0.06 })).toBeCloseTo(2 * Math.tanh((Math.log(0.03 / 0.97) - LOGIT) / 2), 9)
  expect(gapOf({})).toBe(0)
})

test('known values are what they say, and change sign in a mirrored market', () => {
  const seen = featuresOf(toSample(full(1)))
  expect(seen.binance_flow_1).toBeCloseTo(2 * Math.tanh(0.25), 12)
  expect(seen.lead).toBeCloseTo(2 * Math.tanh(0.15 / 2), 4)
  expect(seen.market_gap).toBeCloseTo(2 * Math.tanh((Math.log(0.6 / 0.4) - LOGIT) / 2), 9)
  const mirrored = featuresOf(toSample(full(-1)), { logit: -LOGIT })
  for (const name of OWN_FEATURES) expect(mirrored[name]).toBeCloseTo(-(seen[name] ?? 0), 6)
  expect(Object.values(seen).filter((value) => value === 0)).toEqual([])
})
