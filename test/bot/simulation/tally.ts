import { createHash } from 'node:crypto'
import type { SimDisk } from './disk.ts'

export type Counts = Record<
  | 'decisions'
  | 'orders'
  | 'fills'
  | 'failed'
  | 'trades'
  | 'wins'
  | 'redemptions'
  | 'breaker'
  | 'kills'
  | 'events',
  number
>

/** Equal for equal rows. */
export function tell({ bot }: SimDisk): { digest: string; profitUsd: number } {
  const hash = createHash('sha256')
  const rows = [
    bot.decisions,
    bot.orders,
    bot.resolutionsByAge,
    bot.trades,
    bot.redemptions,
    bot.breaker,
    bot.bossSignals,
  ]
  for (const table of rows)
    for (const row of table.values())
      hash.update(JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? `${value}n` : value)))
  const profitE6 = bot.trades.reduce((sum, { profitE6: each }) => sum + each, 0n)
  return { digest: hash.digest('hex'), profitUsd: Number(profitE6) / 1e6 }
}

export function count({ bot }: SimDisk, kills: number, events: number): Counts {
  const fills = [...bot.orders.values()].flatMap((row) => row.fills)
  return {
    decisions: bot.decisions.length,
    orders: bot.orders.size,
    fills: fills.length,
    failed: fills.filter(({ state }) => state === 'failed').length,
    trades: bot.trades.length,
    wins: bot.trades.filter(({ profitE6 }) => profitE6 > 0n).length,
    redemptions: bot.redemptions.size,
    breaker: bot.breaker.filter(({ kind }) => kind === 'opened').length,
    kills,
    events,
  }
}
