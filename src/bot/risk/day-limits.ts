import { toDecimal } from '../../core/money.ts'
import type { Look } from '../round/look.ts'
import type { RiskRule } from './risk-rule.ts'

type DayLook = Pick<Look, 'day' | 'config'>

/** Limits that hold until midnight UTC, whatever is reset. */
export const DAY_LIMITS: readonly (RiskRule & { why(look: DayLook): string | undefined })[] = [
  {
    name: 'trades_per_day',
    stops: 'all',
    why: ({ day: { trades }, config: { maxTradesPerDay } }) =>
      trades < maxTradesPerDay
        ? undefined
        : `${trades} trades today, and ${maxTradesPerDay} are the most: wait for midnight UTC, or raise max_trades_per_day`,
  },
  {
    name: 'daily_loss',
    stops: 'all',
    // What is open counts as lost, so that a day loses no more than the limit and one position.
    why: ({ day: { profitE6, atRiskE6 }, config: { dailyLossLimitUsd } }) =>
      atRiskE6 - profitE6 < dailyLossLimitUsd
        ? undefined
        : `what was lost today and what is at risk reach the daily loss limit of ${toDecimal(dailyLossLimitUsd)} USD: wait for open windows to resolve, or for midnight UTC`,
  },
]

/** What stops every purchase today, in a sentence; undefined where nothing does. */
export const whyLimited = (look: DayLook): string | undefined =>
  DAY_LIMITS.map(({ why }) => why(look)).find((text) => text !== undefined)
