import { DAY_MS, HOUR_MS } from '../../../core/time/time.ts'
import { dollars, duration, percent } from '../in-words.ts'
import type { ScoreComponent, TokenFigures } from '../token-analysis.ts'
import { component } from './component.ts'
import { linear, logarithmic } from './curves.ts'
import { powerComponent } from './power-component.ts'

// Weights and bounds are reasoned in `docs/methodology/tokens.md`.

export const FULL_SCORE = 100

const WEIGHTS = {
  sellable: 20,
  powers: 20,
  liquidity: 20,
  taxes: 10,
  spread: 10,
  age: 10,
  holders: 5,
  lock: 5,
} as const

/** Round trip of a buy and a sale: nothing is left of the points at this loss. */
const WORST_TAX = 0.2
const LIQUIDITY_USD = { none: 1_000, full: 1_000_000 }
const HOLDERS = { none: 50, full: 10_000 }
const TOP10_SHARE = { full: 0.15, none: 0.6 }
const AGE_MS = { none: HOUR_MS, full: 180 * DAY_MS }
/** Of the points, where only one source says that it can be sold. */
const ONE_SOURCE = 0.7

export function componentsOf(figures: TokenFigures): readonly ScoreComponent[] {
  return [
    sellable(figures),
    powerComponent(figures.powers, WEIGHTS.powers),
    liquidity(figures),
    taxes(figures),
    spread(figures),
    age(figures),
    holders(figures),
    lock(figures),
  ]
}

function weighted(
  name: keyof typeof WEIGHTS,
  value: number | undefined,
  shareOf: (value: number) => number,
  whyOf: (value: number) => string,
): ScoreComponent {
  return component({ name, weight: WEIGHTS[name], value, shareOf, whyOf })
}

/** One source that says yes settles it; that it can be sold is half known until two say so. */
function sellable({ honeypot }: TokenFigures): ScoreComponent {
  const { verdict, by } = honeypot
  const sources = verdict === 'unknown' ? undefined : verdict === 'no' ? by.length : 0
  const scored = weighted(
    'sellable',
    sources,
    (count) => (count === 0 ? 0 : count === 1 ? ONE_SOURCE : 1),
    (count) =>
      count === 0 ? 'a source says it cannot be sold' : `sources that say it can be sold: ${count}`,
  )
  return sources === 1 ? { ...scored, known: 0.5 } : scored
}

function liquidity({ market: { liquidityUsd } }: TokenFigures): ScoreComponent {
  const { none, full } = LIQUIDITY_USD
  return weighted(
    'liquidity',
    liquidityUsd,
    (usd) => logarithmic(usd, none, full),
    (usd) => `${dollars(usd)}; nothing up to ${dollars(none)}, all from ${dollars(full)}, by magnitude`,
  )
}

function taxes({ taxes: { buy, sell } }: TokenFigures): ScoreComponent {
  const loss = buy && sell ? 1 - (1 - Math.min(1, buy.value)) * (1 - Math.min(1, sell.value)) : undefined
  return weighted(
    'taxes',
    loss,
    (share) => linear(share, WORST_TAX, 0),
    (share) => `a buy and a sale lose ${percent(share)}; nothing from ${percent(WORST_TAX)}, all at 0 %`,
  )
}

function spread({ holders: { top10Share } }: TokenFigures): ScoreComponent {
  const { none, full } = TOP10_SHARE
  return weighted(
    'spread',
    top10Share?.value,
    (share) => linear(share, none, full),
    (share) =>
      `ten holders have ${percent(share)}; all up to ${percent(full)}, nothing from ${percent(none)}`,
  )
}

function age({ market: { ageMs } }: TokenFigures): ScoreComponent {
  const { none, full } = AGE_MS
  return weighted(
    'age',
    ageMs === undefined ? undefined : ageMs / DAY_MS,
    (days) => logarithmic(days * DAY_MS, none, full),
    (days) => `${duration(days * DAY_MS)}; nothing up to 1 hour, all from ${duration(full)}, by magnitude`,
  )
}

function holders({ holders: { count } }: TokenFigures): ScoreComponent {
  const { none, full } = HOLDERS
  return weighted(
    'holders',
    count?.value,
    (holding) => logarithmic(holding, none, full),
    (holding) => `${holding} holders; nothing up to ${none}, all from ${full}, by magnitude`,
  )
}

function lock({ holders: { lockedLiquidityShare } }: TokenFigures): ScoreComponent {
  return weighted(
    'lock',
    lockedLiquidityShare?.value,
    (share) => linear(share, 0, 1),
    (share) => `${percent(share)} of the liquidity is locked or burnt`,
  )
}
