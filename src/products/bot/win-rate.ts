import { z } from 'zod'
import type { Tally } from '../../bot/results/tally.ts'
import { countText } from '../../core/count-text.ts'
import { wilsonInterval } from '../../core/math/wilson.ts'
import { Note } from '../fields.ts'

/** Of fewer trades a win rate cannot be told from luck: around 50 % the interval is then over 34 points wide. */
export const TELLING_TRADES = 30

const Percent = z.number().min(0).max(100)

export const WinRate = z.object({
  win_rate: Percent.describe(
    'In percent, 0 to 100, of total_trades: those that brought more than they cost, fees included; 0 while there are none. bot_win_rate beside signals is a share from 0 to 1',
  ),
  win_rate_low: Percent.describe('Lower bound of its 95 % interval (Wilson)'),
  win_rate_high: Percent.describe('Upper bound of its 95 % interval'),
  win_rate_means_little: z
    .boolean()
    .describe(`True below ${TELLING_TRADES} trades: too few to tell skill from luck`),
  win_rate_note: Note.optional().describe('Said in words; there only while it means little'),
  total_trades: z.int().min(0).describe('Resolved trades that the bot decided on by itself'),
  wins: z.int().min(0),
  losses: z.int().min(0).describe('All others: what brought exactly its cost is a loss'),
})

export function toWinRate({ trades, wins, losses }: Tally['bot']): z.input<typeof WinRate> {
  const { low, high } = wilsonInterval(wins, trades)
  const meansLittle = trades < TELLING_TRADES
  return {
    win_rate: trades === 0 ? 0 : toPercent(wins / trades),
    win_rate_low: toPercent(low),
    win_rate_high: toPercent(high),
    win_rate_means_little: meansLittle,
    ...(meansLittle && { win_rate_note: whyLittle(trades) }),
    total_trades: trades,
    wins,
    losses,
  }
}

function whyLittle(trades: number): string {
  if (trades === 0) return 'no trade of the bot has been resolved yet'
  const count = countText(trades, 'trade')
  return `only ${count} resolved: below ${TELLING_TRADES} a win rate cannot be told from luck`
}

const toPercent = (share: number) => Math.round(share * 10_000) / 100
