import type { VenueMarket } from '../../prediction/venue.ts'

/** What takers pay: shares × rate × (price × (1 − price)) ^ exponent. */
export const FEE = { exponent: 1, rate: 0.07, takerOnly: true, rebateRate: 0.2 } as const
/** Says nothing about the fee; every market with fees carries it. */
export const LEGACY_BASE_FEE = 1000
const FEE_TYPE = 'crypto_fees_v2'

export function feeFields(_market: VenueMarket) {
  return { feesEnabled: true, makerRebatesFeeShareBps: 10_000, feeType: FEE_TYPE, feeSchedule: FEE }
}
