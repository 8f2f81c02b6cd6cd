import { z } from 'zod'
import type { OpenPosition } from '../../bot/bot.ts'
import { fromMillionths } from '../../market/prediction/millionths.ts'
import { isoTime } from '../../products/fields.ts'
import {
  Account,
  CoinName,
  ConditionId,
  Price,
  Profit,
  Shares,
  Side,
  TokenId,
  toAccount,
  toOptionalAmount,
  UsdAmount,
  WindowStart,
} from '../fields.ts'

export const Position = z.object({
  ...Account.shape,
  coin: CoinName,
  window_start: WindowStart,
  condition_id: ConditionId,
  token_id: TokenId,
  outcome: Side.describe('What a share pays for'),
  shares: Shares,
  cost_usd: UsdAmount.describe('With fees, of the shares that are still held'),
  bid: Price.nullable().describe('Best bid now; 0 or 1 once resolved; null while there is no book'),
  value_usd: UsdAmount.nullable().describe('At the best bid; null while there is no book'),
  unrealized_profit_usd: Profit.nullable(),
  opened_at: z.iso.datetime(),
  resolved_as: Side.nullable().describe('null until the window is resolved'),
})

export const toPosition = (held: OpenPosition): z.input<typeof Position> => ({
  ...toAccount(held.broker),
  coin: held.coin,
  window_start: held.windowStartS,
  condition_id: held.conditionId,
  token_id: held.tokenId,
  outcome: held.outcome,
  shares: fromMillionths(held.sharesE6),
  cost_usd: fromMillionths(held.costE6),
  bid: held.bid ?? null,
  value_usd: toOptionalAmount(held.valueE6),
  unrealized_profit_usd: toOptionalAmount(
    held.valueE6 === undefined ? undefined : held.valueE6 - held.costE6,
  ),
  opened_at: isoTime(held.openedMs),
  resolved_as: held.resolvedAs ?? null,
})

export const newestFirst = (positions: readonly OpenPosition[]): OpenPosition[] =>
  [...positions].sort((a, b) => b.openedMs - a.openedMs || b.windowStartS - a.windowStartS)
