import { roundPrice } from '../market/price.ts'

// Unknown is null, never zero.

const CENTS = 100
const SHARE_DIGITS = 1_000_000
const PERCENT_DIGITS = 10_000

export const shownPrice = (value: number | undefined): number | null =>
  value === undefined ? null : roundPrice(value)
export const shownDollars = (value: number | undefined): number | null => rounded(value, CENTS)
export const shownShare = (value: number | undefined): number | null => rounded(value, SHARE_DIGITS)
export const shownPercent = (value: number | undefined): number | null => rounded(value, PERCENT_DIGITS)

// Adding zero makes a zero of a negative one.
const rounded = (value: number | undefined, digits: number): number | null =>
  value === undefined ? null : Math.round(value * digits) / digits + 0
