import { z } from 'zod'
import { roundDigits, shownDigits } from './shown-digits.ts'

/** Venues quote in hundredths of a basis point. */
const DIGITS = 6
const SETTLEMENTS_PER_YEAR = 3 * 365

export const FundingPercent = z
  .number()
  .describe('Percent of the position for eight hours; positive: longs pay shorts')
export const AnnualPercent = z.number().nullable().describe('The same rate paid for a year, not compounded')

/** From a share of the position for eight hours. */
export const fundingPercent = (rate8h: number): number => roundDigits(rate8h * 100, DIGITS)

export const shownFunding = (rate8h: number | undefined): number | null =>
  rate8h === undefined ? null : fundingPercent(rate8h)

export const annualPercent = (rate8h: number | undefined): number | null =>
  rate8h === undefined ? null : shownDigits(rate8h * SETTLEMENTS_PER_YEAR * 100, 3)
