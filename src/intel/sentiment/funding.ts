import type { Coin } from '../../core/coin.ts'
import { DERIVATIVES_VENUES, type Derivatives } from '../derivatives/derivatives.ts'
import type { Part } from '../part.ts'

/** The perpetual futures of a coin over all venues that are known. */
export type FundingAcross = {
  /** Mean by open interest, as a share of the position for eight hours. */
  funding8h: number
  openInterestUsd: number
  venues: readonly string[]
}

const NONE = 'perpetual_futures'

/** As old as its oldest venue. A venue that is missing is left out: the others say much the same. */
export function fundingAcross(derivatives: Pick<Derivatives, 'perpetual'>, coin: Coin): Part<FundingAcross> {
  const parts = DERIVATIVES_VENUES.map((venue) => ({ venue, part: derivatives.perpetual(venue, coin) }))
  const known = parts.flatMap(({ venue, part }) => (part.status === 'missing' ? [] : [{ venue, ...part }]))
  if (known.length === 0)
    return { source: NONE, status: 'missing', reason: `of no venue: ${parts[0]?.part.reason ?? 'none'}` }
  const openInterestUsd = sumOf(known.map(({ value }) => value.openInterestUsd))
  const weightOf = (usd: number) => (openInterestUsd > 0 ? usd / openInterestUsd : 1 / known.length)
  return {
    source: known.map(({ source }) => source).join('+'),
    status: known.every(({ status }) => status === 'fresh') ? 'fresh' : 'aged',
    asOfMs: Math.min(...known.map(({ asOfMs }) => asOfMs)),
    value: {
      funding8h: sumOf(known.map(({ value }) => value.funding8h * weightOf(value.openInterestUsd))),
      openInterestUsd,
      venues: known.map(({ venue }) => venue),
    },
  }
}

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)
