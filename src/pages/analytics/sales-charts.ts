import type { z } from 'zod'
import { countText } from '../../core/count-text.ts'
import type { Analytics } from '../../products/payments/x402-analytics.ts'
import { daysGrouped, type Point } from '../charts/days-grouped.ts'
import { timeChart } from '../charts/time-chart.ts'
import { numberText } from '../frame/figures.ts'
import { type Html, html } from '../frame/html.ts'

type Reply = z.output<typeof Analytics>

/** A price may be a ten thousandth of a USDC. */
const MONEY_DIGITS = 4
export const moneyText = (usdc: number): string => numberText(usdc, MONEY_DIGITS)

/** Calls, sales and revenue day by day. */
export function salesCharts(reply: Reply): Html {
  const { per_day, calls, from, timestamp, settlements, revenue_usdc } = reply
  const to = timestamp.slice(0, 10)
  const first = from?.slice(0, 10) ?? per_day[0]?.date ?? to
  const daysOf = (values: readonly (readonly [string, number])[], since: string): Point[] =>
    daysGrouped(new Map(values), since, to)
  const asCount = (value: number) => numberText(value)
  const callCounts = calls.per_day.map((day) => [day.date, callsOf(day)] as const)
  return html`<div class="grid">
${timeChart({
  ...{ id: 'calls', title: 'Calls', kind: 'bars', isCount: true, toText: asCount },
  summary: `${countText(callsOf(calls), 'call')} since ${calls.from}, ${numberText(calls.failed)} of them failed.`,
  points: daysOf(callCounts, calls.from),
})}
${timeChart({
  ...{ id: 'sales', title: 'Sales', kind: 'bars', isCount: true, toText: asCount },
  summary: `${countText(settlements, 'sale')} since ${first}.`,
  points: daysOf(
    per_day.map((day) => [day.date, day.settlements]),
    first,
  ),
})}
${timeChart({
  ...{ id: 'revenue', title: 'Revenue in USDC', kind: 'line', isCount: false, toText: moneyText },
  summary: `${moneyText(revenue_usdc)} USDC since ${first}.`,
  points: daysOf(
    per_day.map((day) => [day.date, day.revenue_usdc]),
    first,
  ),
})}
</div>`
}

/** Whoever bore the cost, and whatever became of it. */
export const callsOf = ({
  paid,
  demo,
  holder,
  free,
  failed,
}: Omit<Reply['calls'], 'from' | 'per_day' | 'products'>) => paid + demo + holder + free + failed
