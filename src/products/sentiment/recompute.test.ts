import { describe, expect, it } from 'vitest'
import type { Coin } from '../../core/coin.ts'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { cascadeRiskOf } from '../../intel/derivatives/cascade-risk.ts'
import type { SentimentPorts } from '../../intel/sentiment/sentiment.ts'
import { windowMarketAt } from '../../testing/products/hand-made-prediction.ts'
import {
  derivativesOf,
  freshPart,
  missingPart,
  sentimentServices,
} from '../../testing/products/hand-made-sentiment.ts'
import { signalAt, signalsOf } from '../../testing/products/hand-made-signals.ts'
import { recomputeCascade, type ShownCascade } from '../../testing/products/recompute-cascade.ts'
import { createSeeded } from '../../testing/seeded.ts'
import { sentimentGroup } from './group.ts'

/** What a buyer has: the reply, and the formulas of `docs/methodology`, written down here once more. */
const SCORE_OF: Readonly<Record<string, (reading: number, part: ShownPart) => number>> = {
  fear_greed: (value) => (value - 50) / 50,
  momentum: (deviations) => Math.tanh(deviations),
  whale_flow: (share, { trades = Number.NaN }) => (share * trades) / (trades + 5),
  funding: (percent) => Math.tanh((percent - 0.01) / 0.03),
  prediction_market: (probability) => 2 * probability - 1,
  signal: (probability, { abstain }) => (abstain ? 0 : 2 * probability - 1),
}
const WEIGHTS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  '/sentiment': { fear_greed: 0.3, momentum: 0.4, whale_flow: 0.3 },
  composite: {
    ...{ fear_greed: 0.2, momentum: 0.35, whale_flow: 0.2 },
    ...{ funding: 0.15, prediction_market: 0.05, signal: 0.05 },
  },
  cascade: { leverage: 0.25, buildup: 0.15, funding: 0.2, liquidations: 0.2, volatility: 0.2 },
}
/** Half of the last digit shown, and a thousandth of that for the digits of the readings. */
const within = (lastDigit: number) => (lastDigit / 2) * 1.001

type ShownPart = {
  name: string
  score: number | null
  reading: number | null
  trades?: number
  abstain?: boolean
}
type ShownRisk = ShownCascade & { known_weight: number | null }
type ShownCoin = { score: number; parts: ShownPart[]; known_weight?: number; cascade_risk?: ShownRisk }
type Shown = { score?: number; coins: ShownCoin[] }

const clock = createManualClock(Date.UTC(2026, 8, 1, 6, 1))
const products = sentimentGroup.endpoints.filter((each) => each.kind === 'product')

/** Markets of every kind, parts of which are missing. */
function portsOf(seed: number): Partial<SentimentPorts> {
  const random = createSeeded(seed)
  const between = (low: number, high: number) => low + (high - low) * random.fraction()
  const fresh = <T>(value: T) => freshPart('made up', value, clock.now())
  const orMissing = <T>(value: T) => (random.fraction() < 0.15 ? missingPart('made up') : fresh(value))
  const deviations = between(-3, 3)
  const [fearGreed, funding8h, odds, up] = [
    Math.round(between(0, 100)),
    between(-0.0006, 0.0006),
    between(0.05, 0.95),
    between(0.05, 0.95),
  ]
  const ownMs = { binance: 3_600_000, coinbase: 0 }
  const flow = { spanMs: 3_600_000, buyUsd: between(0, 1e7), sellUsd: between(0, 1e7), ownMs }
  const index = { value: fearGreed, word: 'Fear', dayAgo: 1, weekAgo: undefined, monthAgo: 2 } as const
  return {
    fearGreed: () => fresh(index),
    momentum: () => fresh({ score: Math.tanh(deviations), deviations, spans: [] }),
    whales: { flow: () => orMissing({ ...flow, trades: Math.round(between(0, 30)) }) },
    derivatives: derivativesOf(() => ({ funding8h, openInterestUsd: 1e9 }), clock),
    signals: signalsOf((coin: Coin) => ({ ...signalAt(coin, clock.now(), up), abstain: up > 0.6 })),
    fiveMinute: {
      open: (coin) =>
        windowMarketAt(coin, clock.now(), { up: { bids: [[odds - 0.013, 1]], asks: [[odds + 0.02, 1]] } }),
    },
  }
}

function cascadeOf(seed: number) {
  const random = createSeeded(seed)
  const maybe = (value: number) => (random.fraction() < 0.3 ? undefined : value)
  return cascadeRiskOf({
    openInterestUsd: 1e9,
    volume24hUsd: maybe(1e9 / (0.2 + 2 * random.fraction())),
    openInterestChange24h: maybe(0.3 * random.fraction() - 0.1),
    funding8h: maybe(0.002 * random.fraction() - 0.001),
    liquidations:
      random.fraction() < 0.3 ? undefined : { lastHourUsd: 6e6 * random.fraction(), usualHourUsd: 1e6 },
    volatilityRatio: maybe(4 * random.fraction()),
  })
}

function checkCoin({ score, parts, known_weight, cascade_risk }: ShownCoin, path: string): void {
  const weights = WEIGHTS[path] ?? WEIGHTS.composite ?? {}
  let [sum, known] = [0, 0]
  for (const part of parts) {
    if (part.reading === null) continue
    const found = SCORE_OF[part.name]?.(part.reading, part) ?? Number.NaN
    expect(Math.abs(found - (part.score ?? Number.NaN)), part.name).toBeLessThanOrEqual(within(1e-4))
    sum += found * (weights[part.name] ?? Number.NaN)
    known += weights[part.name] ?? Number.NaN
  }
  if (path !== '/sentiment') expect(known_weight).toBeCloseTo(known, 9)
  const [found, lastDigit] = path === '/sentiment' ? [50 + (50 * sum) / known, 0.1] : [sum / known, 1e-4]
  expect(Math.abs(found - score)).toBeLessThanOrEqual(within(lastDigit))
  if (path === '/crypto-sentiment') checkCascade(cascade_risk as ShownRisk)
}

function checkCascade(shown: ShownRisk): void {
  const { score, parts, known_weight } = shown
  const known = Object.entries(parts).flatMap(([name, part]) =>
    part === null ? [] : [{ part, weight: WEIGHTS.cascade?.[name] ?? Number.NaN }],
  )
  if (score === null) {
    expect(known).toEqual([])
    return
  }
  for (const [name, part] of Object.entries(recomputeCascade(shown)))
    if (part === null) expect(parts[name], name).toBeNull()
    else expect(Math.abs(part - (parts[name] ?? Number.NaN)), name).toBeLessThanOrEqual(within(1e-3) + 1e-4)
  const weight = known.reduce((sum, each) => sum + each.weight, 0)
  const found = (100 * known.reduce((sum, each) => sum + each.weight * each.part, 0)) / weight
  expect(known_weight).toBeCloseTo(weight, 9)
  // The parts have three digits, which a hundred of them make a tenth.
  expect(Math.abs(found - score)).toBeLessThanOrEqual(within(0.1) + within(0.1))
}

function check(shown: Shown, path: string): void {
  for (const coin of shown.coins) checkCoin(coin, path)
  if (path !== '/market-mood') return
  const mean = shown.coins.reduce((sum, { score }) => sum + score, 0) / shown.coins.length
  expect(Math.abs(mean - (shown.score ?? Number.NaN))).toBeLessThanOrEqual(within(1e-4))
}

describe.each(products.map((product) => [product.path, product] as const))('%s', (path, product) => {
  it('shows what every score in it is made of', async () => {
    for (let seed = 1; seed <= 200; seed++) {
      const cascade = cascadeOf(seed)
      const services = {
        ...sentimentServices(clock, portsOf(seed)),
        cascadeRisk: () => (cascade ? freshPart('made up', cascade, clock.now()) : missingPart('made up')),
      }
      const reply = await product.handle(services, product.params.parse({}))
      check(product.response.parse(reply) as Shown, path)
    }
  })

  it('has an example whose coins can be computed as well', () => {
    const { coins } = product.example as Shown
    const all = Object.keys(WEIGHTS[path] ?? WEIGHTS.composite ?? {}).length
    const whole = coins.filter(({ parts }) => parts.length === all)
    // The longest of the replies may be too long to show every part.
    if (path !== '/crypto-sentiment') expect(whole.length).toBe(coins.length)
    for (const coin of whole) checkCoin(coin, path)
    expect(coins).not.toEqual([])
  })
})
