/** What a number counts; a text may state it in this unit only. */
export type Unit = 'usd' | 'percent' | 'count' | 'days' | 'hours' | 'score'

/**
 * Something true that a text may say. Every word of it is ours or from a closed list, so that no stranger speaks to the
 * model that reads it.
 */
export type Fact = {
  /** `liquidity_usd`, `risk.can_mint`. */
  id: string
  /** One plain sentence. */
  says: string
  /** As it is said: a number has three significant digits, so that a text lives as long as they stay. */
  value: number | string | boolean
  /** Of a number. */
  unit?: Unit
  /** Of a number whose sign matters: a text must not turn a fall into a rise. */
  isChange?: true
  source: string
}

const SIGNIFICANT_DIGITS = 3

/** As facts state it. */
export const rounded = (value: number): number => Number(value.toPrecision(SIGNIFICANT_DIGITS)) + 0
