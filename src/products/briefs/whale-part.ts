import { z } from 'zod'
import { COINS } from '../../core/coin.ts'
import { HOUR_MS } from '../../core/time/time.ts'
import { oldestMs } from '../part-fields.ts'
import { NetFlowFields, TradeFields } from '../whales/fields.ts'
import { toNetFlowFields, toTradeFields } from '../whales/to-fields.ts'
import { type BundlePart, whyAged } from './bundle-part.ts'
import type { BriefServices } from './services.ts'

const LARGEST_SHOWN = 5

export const WhaleBrief = z.object({
  net_usd: z.number().describe('Large trades of the last hour, all four coins: bought less sold'),
  trades: z.int().min(0),
  net_flow: z.array(NetFlowFields),
  largest_trades: z.array(TradeFields).max(LARGEST_SHOWN).describe('Of the last hour, the largest first'),
})

/** As `/whales` sells it: large trades of the last hour, summed up. */
export function whalePart({ whales, clock }: BriefServices): BundlePart<z.input<typeof WhaleBrief>> {
  const trades = whales.trades()
  const flows = COINS.map((coin) => ({ coin, part: whales.flow(coin) }))
  if (trades.status === 'missing') return trades
  const parts = flows.map(({ part }) => part)
  const asOfMs = oldestMs([trades, ...parts]) ?? trades.asOfMs
  const known = flows.flatMap(({ coin, part }) =>
    part.status === 'missing' ? [] : [toNetFlowFields(coin, part.value)],
  )
  const sinceMs = clock.now() - HOUR_MS
  const largest = trades.value.filter(({ atMs }) => atMs >= sinceMs).toSorted((a, b) => b.usd - a.usd)
  return {
    source: trades.source,
    status:
      known.length === COINS.length && parts.every(({ status }) => status === 'fresh')
        ? trades.status
        : 'aged',
    asOfMs,
    agedBecause: whyAged([
      { name: 'trades', part: trades },
      ...flows.map(({ part }) => ({ name: 'net_flow', part })),
    ]),
    value: {
      net_usd: Math.round(known.reduce((sum, { net_usd }) => sum + net_usd, 0) * 100) / 100,
      trades: known.reduce((sum, flow) => sum + flow.trades, 0),
      net_flow: known,
      largest_trades: largest.slice(0, LARGEST_SHOWN).map(toTradeFields),
    },
  }
}
