import { DAY_MS, HOUR_MS } from '../../core/time/time.ts'
import type { TokenAnalysis, Told } from '../tokens/token-analysis.ts'
import { type Fact, rounded } from '../writer/fact.ts'
import { capital, inDollars, inNumber, inPercent } from './in-words.ts'

const MARKET = 'dexscreener'

/** What is known of the token in figures. What is not known is no fact. */
export function figureFacts({ market, holders, taxes, score, risk }: TokenAnalysis): Fact[] {
  const { change } = market
  return [
    count('pools', market.pools, (n) => `It trades in ${n} ${market.pools === 1 ? 'pool' : 'pools'}.`),
    dollars('price_usd', market.priceUsd, (usd) => `Its price is ${usd}.`),
    changed('change_1h', change.h1, 'the last hour'),
    changed('change_24h', change.h24, '24 hours'),
    dollars('liquidity_usd', market.liquidityUsd, (usd) => `Its pools hold ${usd}.`),
    dollars('volume_24h_usd', market.volumeUsd24h, (usd) => `Trades of ${usd} were made in 24 hours.`),
    count('buys_24h', market.buys24h, (n) => `There were ${n} buys in 24 hours.`),
    count('sells_24h', market.sells24h, (n) => `There were ${n} sells in 24 hours.`),
    dollars('market_cap_usd', market.marketCapUsd, (usd) => `Its market capitalization is ${usd}.`),
    dollars('fdv_usd', market.fdvUsd, (usd) => `All tokens that exist would be worth ${usd}.`),
    ...age(market.ageMs),
    told('holders', holders.count, 'count', (n) => `It has ${n} holders.`),
    share('top10_percent', holders.top10Share, (p) => `The ten largest holders own ${p} of the supply.`),
    share(
      'largest_holder_percent',
      holders.largest && { ...holders.largest, value: holders.largest.value.share },
      (p) => `The largest single holder owns ${p} of the supply.`,
    ),
    share('creator_percent', holders.creatorShare, (p) => `Its creator owns ${p} of the supply.`),
    share(
      'locked_liquidity_percent',
      holders.lockedLiquidityShare,
      (p) => `Of the liquidity ${p} is locked or burnt.`,
    ),
    share('buy_tax_percent', taxes.buy, (p) => `A purchase is taxed ${p}.`),
    share('sell_tax_percent', taxes.sell, (p) => `A sale is taxed ${p}.`),
    share('transfer_tax_percent', taxes.transfer, (p) => `A transfer is taxed ${p}.`),
    { id: 'risk_rating', says: `Its risk rating is ${risk.rating}.`, value: risk.rating, source: 'tollbook' },
    figure('score', score.value, 'score', 'tollbook', (n) => `Its score is ${n} of 100.`),
    figure(
      'score_confidence_percent',
      score.confidence * 100,
      'percent',
      'tollbook',
      (n) => `Of what the score rests on ${n}% is known.`,
    ),
  ].filter((fact) => fact !== undefined)
}

function figure(
  id: string,
  given: number | undefined,
  unit: NonNullable<Fact['unit']>,
  source: string,
  says: (shown: string) => string,
): Fact | undefined {
  if (given === undefined) return undefined
  const value = rounded(given)
  return { id, says: says(inNumber(value)), value, unit, source }
}

const dollars = (id: string, given: number | undefined, says: (shown: string) => string): Fact | undefined =>
  given === undefined
    ? undefined
    : { id, says: says(inDollars(rounded(given))), value: rounded(given), unit: 'usd', source: MARKET }

const count = (id: string, given: number | undefined, says: (shown: string) => string) =>
  figure(id, given, 'count', MARKET, says)

const told = (
  id: string,
  given: Told<number> | undefined,
  unit: NonNullable<Fact['unit']>,
  says: (shown: string) => string,
) => given && figure(id, given.value, unit, given.source, says)

const share = (id: string, given: Told<number> | undefined, says: (shown: string) => string) =>
  given && figure(id, given.value * 100, 'percent', given.source, (shown) => says(`${shown}%`))

function changed(id: string, given: number | undefined, span: string): Fact | undefined {
  if (given === undefined) return undefined
  const value = rounded(given)
  const way = value > 0 ? 'rose' : 'fell'
  const says =
    value === 0
      ? `the price did not change in ${span}.`
      : `the price ${way} ${inPercent(Math.abs(value))} in ${span}.`
  return { id, says: capital(says), value, unit: 'percent', isChange: true, source: MARKET }
}

/** In whole days, and in hours below two of them. */
function age(ageMs: number | undefined): Fact[] {
  if (ageMs === undefined) return []
  const isYoung = ageMs < 2 * DAY_MS
  const value = rounded(Math.floor(ageMs / (isYoung ? HOUR_MS : DAY_MS)))
  const unit = isYoung ? 'hours' : 'days'
  const words = value === 1 ? unit.slice(0, -1) : unit
  return [
    {
      id: `age_${unit}`,
      says: `Its oldest pool is ${inNumber(value)} ${words} old.`,
      value,
      unit,
      source: MARKET,
    },
  ]
}
