import { z } from 'zod'
import { COINS, type Coin } from '../../core/coin.ts'
import type { CascadeRisk } from '../../intel/derivatives/cascade-risk.ts'
import { DERIVATIVES_VENUES } from '../../intel/derivatives/derivatives.ts'
import { CascadeLevel, CascadeScore, KnownWeight } from '../derivatives/cascade-fields.ts'
import { shownFunding } from '../derivatives/funding-percent.ts'
import { roundDigits } from '../derivatives/shown-digits.ts'
import { oldestMs } from '../part-fields.ts'
import { round } from '../sentiment/fields.ts'
import { type BundlePart, whyAged } from './bundle-part.ts'
import type { BriefServices } from './services.ts'

const SOURCE = 'derivatives_and_whole_market'

export const Macro = z.object({
  btc_dominance_percent: z.number().min(0).max(100).nullable(),
  total_market_cap_usd: z.number().min(0).nullable(),
  market_cap_change_24h_percent: z.number().nullable(),
  coins: z.array(
    z.object({
      coin: z.enum(COINS),
      funding_rate_8h_percent: z.number().nullable().describe('Over all venues, weighted by open interest'),
      open_interest_usd: z.number().min(0).nullable().describe('One side, over all venues that answer'),
      open_interest_change_24h_percent: z.number().nullable(),
      cascade_risk: z
        .object({ score: CascadeScore, level: CascadeLevel, known_weight: KnownWeight })
        .nullable()
        .describe('Null while too little is known'),
    }),
  ),
})

/**
 * As `/market-intel` sells it, in a few figures. Essential is the open interest of BTC. As old as the oldest of all that
 * it is made of, and fresh only if all of that is.
 */
export function macroPart({
  derivatives,
  sentiment,
}: Pick<BriefServices, 'derivatives' | 'sentiment'>): BundlePart<z.input<typeof Macro>> {
  const perpetuals = DERIVATIVES_VENUES.map((venue) => derivatives.perpetual(venue, 'BTC'))
  const essentialMs = oldestMs(perpetuals)
  if (essentialMs === undefined)
    return { source: SOURCE, status: 'missing', reason: perpetuals[0]?.reason ?? 'no venue answers' }
  const whole = sentiment.wholeMarket()
  const named = [{ name: 'whole_market', part: whole }, ...COINS.flatMap((coin) => behind(derivatives, coin))]
  const parts = named.map(({ part }) => part)
  return {
    source: SOURCE,
    status: parts.every(({ status }) => status === 'fresh') ? 'fresh' : 'aged',
    asOfMs: oldestMs(parts) ?? essentialMs,
    agedBecause: whyAged(named),
    value: {
      btc_dominance_percent: shown(whole.value?.dominance.BTC),
      total_market_cap_usd: shown(whole.value?.capUsd),
      market_cap_change_24h_percent: shown(whole.value?.capChange24hPercent),
      coins: COINS.map((coin) => {
        const { funding8h, openInterestUsd, openInterestChange24h, cascade } = derivatives.overview(coin)
        return {
          coin,
          funding_rate_8h_percent: shownFunding(funding8h),
          open_interest_usd: openInterestUsd === undefined ? null : Math.round(openInterestUsd),
          open_interest_change_24h_percent: percent(openInterestChange24h),
          cascade_risk: cascade ? toShortCascade(cascade) : null,
        }
      }),
    },
  }
}

/** What the figures of a coin are made of; the last two are in its cascade risk. */
const behind = (derivatives: BriefServices['derivatives'], coin: Coin) => [
  ...DERIVATIVES_VENUES.map((venue) => ({ name: venue, part: derivatives.perpetual(venue, coin) })),
  { name: 'liquidations', part: derivatives.liquidations(coin) },
  { name: 'volatility', part: derivatives.volatility(coin) },
]

const toShortCascade = ({ score, level, known }: CascadeRisk) => ({
  score: roundDigits(score, 1),
  level,
  known_weight: roundDigits(known, 2),
})

const shown = (value: number | undefined) => (value === undefined ? null : round(value))
const percent = (share: number | undefined) => (share === undefined ? null : round(share * 100))
