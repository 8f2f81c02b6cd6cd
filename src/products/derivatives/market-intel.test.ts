import { expect, it } from 'vitest'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { cascadeRiskOf } from '../../intel/derivatives/cascade-risk.ts'
import type { DerivativesVenue } from '../../intel/derivatives/derivatives.ts'
import type {
  CoinDerivatives,
  DerivativesDesk,
  PerpetualDetail,
} from '../../intel/derivatives/derivatives-desk.ts'
import { divergenceOf } from '../../intel/derivatives/funding-divergence.ts'
import type { Part } from '../../intel/part.ts'
import { recomputeCascade, type ShownCascade } from '../../testing/products/recompute-cascade.ts'
import { createSeeded } from '../../testing/seeded.ts'
import { derivativesGroup } from './group.ts'
import { marketIntel } from './market-intel.ts'
import type { DerivativesServices } from './services.ts'

const NOW_MS = Date.UTC(2026, 4, 6, 13)
const missing = { status: 'missing', reason: 'not read yet' } as const
const NOTHING: CoinDerivatives = {
  openInterestUsd: undefined,
  openInterestChange24h: undefined,
  volume24hUsd: undefined,
  funding8h: undefined,
  divergence: undefined,
  cascade: undefined,
}

function servicesWith(
  told: readonly DerivativesVenue[],
  overview: Partial<CoinDerivatives> = {},
): DerivativesServices {
  const perpetual = (venue: DerivativesVenue): Part<PerpetualDetail> =>
    told.includes(venue)
      ? {
          source: venue,
          status: 'fresh',
          asOfMs: NOW_MS - 1000 * (1 + told.indexOf(venue)),
          value: {
            funding8h: -0.00002,
            intervalHours: 8,
            nextFundingMs: undefined,
            openInterestUsd: 1e9,
            markPrice: 100,
            volume24hUsd: undefined,
            openInterestChange24h: undefined,
          },
        }
      : { source: venue, ...missing }
  const derivatives: DerivativesDesk = {
    perpetual,
    liquidations: () => ({ source: 'sockets', ...missing }),
    liquidationTotals: () => ({ source: 'sockets', ...missing }),
    volatility: () => ({ source: 'candles', ...missing }),
    overview: () => ({ ...NOTHING, ...overview }),
    version: () => 1,
  }
  return {
    clock: createManualClock(NOW_MS),
    derivatives,
    wholeMarket: () => ({ source: 'coingecko', ...missing }),
    sourceOf: (source) => source,
  }
}

function ask(told: readonly DerivativesVenue[], overview?: Partial<CoinDerivatives>) {
  const [product] = derivativesGroup.endpoints
  if (product?.kind !== 'product') throw new Error('no product')
  return product.response.parse(product.handle(servicesWith(told, overview), {}))
}

it('sells nothing that only one venue tells of', () => {
  expect(() => ask(['bybit'])).toThrow('1 of 4 derivatives venues answer for BTC, 2 are needed')
  expect(() => ask([])).toThrow('0 of 4')
})

it('is as old as the older of the two that it needs, however old a third is', () => {
  expect(ask(['okx', 'bybit', 'binance'])).toMatchObject({ timestamp: '2026-05-06T12:59:58.000Z' })
})

it('is as old as the oldest venue for BTC, and says null for what is not known', () => {
  expect(ask(['okx', 'bybit'])).toMatchObject({
    timestamp: '2026-05-06T12:59:58.000Z',
    source: 'bybit+okx',
    whole_market: { btc_dominance_percent: null, status: 'missing', timestamp: null },
    coins: [
      {
        coin: 'BTC',
        funding_rate_8h_percent: null,
        cascade_risk: { score: null, level: null, known_weight: null, status: 'missing' },
        liquidations_1h: { long_usd: null, count: null, coverage: null },
        venues: [
          { venue: 'binance', status: 'missing', funding_rate_8h_percent: null, open_interest_usd: null },
          { venue: 'bybit', funding_rate_8h_percent: -0.002, volume_24h_usd: null },
          { venue: 'okx', next_funding_at: null },
          { venue: 'hyperliquid', mark_price_usd: null },
        ],
      },
      {},
      {},
      {},
    ],
  })
})

type Divergence = Record<
  'score' | 'spread_8h_percent' | 'past_median_8h_percent' | 'past_mad_8h_percent',
  number
>
type Shown = { coins: { cascade_risk: ShownCascade; funding_divergence: Divergence }[] }

/** By the formula of `docs/methodology/derivatives.md`, from the reply alone. */
const scoreAgain = (shown: Divergence) =>
  (shown.spread_8h_percent - shown.past_median_8h_percent) /
  Math.max(1.4826 * shown.past_mad_8h_percent, 0.0025)

it('shows what divergence and cascade risk are made of', () => {
  for (let seed = 1; seed <= 100; seed++) {
    const random = createSeeded(seed)
    const venues = (['okx', 'bybit'] as const).map((venue) => ({
      ...{ venue, openInterestUsd: 1e9, funding8h: (random.fraction() - 0.5) * 1e-3 },
    }))
    const past = Array.from({ length: 21 }, () => random.fraction() * (seed % 2 === 0 ? 2e-4 : 2e-5))
    const cascade = cascadeRiskOf({
      ...{ openInterestUsd: 2e9, volume24hUsd: 1e9 + 5e9 * random.fraction() },
      ...{ openInterestChange24h: random.fraction() * 0.2, funding8h: (random.fraction() - 0.5) * 3e-3 },
      liquidations: { lastHourUsd: 12e6 * random.fraction(), usualHourUsd: 2e6 },
      volatilityRatio: 4 * random.fraction(),
    })
    const shown = ask(['okx', 'bybit'], { cascade, divergence: divergenceOf(venues, past) }) as Shown
    const [{ cascade_risk, funding_divergence } = expect.fail('no coin')] = shown.coins
    expect(scoreAgain(funding_divergence)).toBeCloseTo(funding_divergence.score, 1)
    for (const [name, part] of Object.entries(recomputeCascade(cascade_risk)))
      expect(part, name).toBeCloseTo(cascade_risk.parts[name] ?? Number.NaN, 2)
  }
})

it('has an example that can be computed as well', () => {
  const [{ cascade_risk, funding_divergence } = expect.fail('no coin')] = (marketIntel.example as Shown).coins
  if (funding_divergence) expect(scoreAgain(funding_divergence)).toBeCloseTo(funding_divergence.score, 1)
  for (const [name, part] of Object.entries(recomputeCascade(cascade_risk)))
    if (part === null) expect(cascade_risk.parts[name], name).toBeNull()
    else expect(part, name).toBeCloseTo(cascade_risk.parts[name] ?? Number.NaN, 2)
})
