import { z } from 'zod'
import { COINS } from '../../core/coin.ts'
import type { TradeRow } from '../../ledger/ports/bot-book.ts'
import { fromMillionths } from '../../market/prediction/millionths.ts'
import { entryId } from '../../record/log/leaf.ts'
import { isoTime, RecordId, WindowEdge } from '../fields.ts'
import { AccountKind, kindOf } from './account.ts'

const Dollars = z.number()
const Direction = z.enum(['UP', 'DOWN'])

/** A resolved trade: all orders of one market. */
export const Trade = z.object({
  coin: z.enum(COINS),
  direction: Direction.describe('The side that was bought'),
  outcome: Direction.describe('How the window ended'),
  result: z.enum(['win', 'loss']).describe('By pnl_usdc: a win is above 0, all else is a loss'),
  pnl_usdc: Dollars.describe('After fees'),
  bot_pnl_usdc: Dollars.nullable().describe(
    "What the bot's own purchases brought after fees, whatever was traded by hand: the win rate counts it. null where the bot bought nothing",
  ),
  fees_usdc: Dollars.min(0),
  cost_usdc: Dollars.min(0).describe('What the shares were bought for, without fees'),
  confidence: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .describe('Our probability of the side that was bought; null where the operator decided'),
  decided_by: z
    .enum(['bot', 'operator', 'both'])
    .describe(
      'operator: by hand, or by forcing a direction on the bot; both: the operator traded by hand in a window in which the bot had bought',
    ),
  account: AccountKind,
  window_start: WindowEdge,
  timestamp: z.iso.datetime().describe('When it was resolved'),
  record_id: RecordId.describe('Entry of the same coin and window in the public record, where there is one'),
})

function decidedBy({ origin, roundProfitE6 }: TradeRow): 'bot' | 'operator' | 'both' {
  if (origin === 'round') return 'bot'
  return roundProfitE6 === undefined ? 'operator' : 'both'
}

export function toTrade(row: TradeRow): z.input<typeof Trade> {
  const { coin, windowStartS, profitE6 } = row
  return {
    coin,
    direction: row.direction,
    outcome: row.outcome,
    result: profitE6 > 0n ? 'win' : 'loss',
    pnl_usdc: fromMillionths(profitE6),
    bot_pnl_usdc: row.roundProfitE6 === undefined ? null : fromMillionths(row.roundProfitE6),
    fees_usdc: fromMillionths(row.feesE6),
    cost_usdc: fromMillionths(row.costE6),
    confidence: row.confidence ?? null,
    decided_by: decidedBy(row),
    account: kindOf(row.broker),
    window_start: windowStartS,
    timestamp: isoTime(row.resolvedMs),
    record_id: entryId(coin, windowStartS),
  }
}

export const NO_TRADES_NOTE = 'no trade of this account has been resolved yet'
