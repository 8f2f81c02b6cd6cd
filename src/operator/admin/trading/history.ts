import { z } from 'zod'
import { operator } from '../../../catalog/access.ts'
import { defineEndpoint } from '../../../catalog/endpoints/endpoint.ts'
import type { TradeRow } from '../../../ledger/ports/bot-book.ts'
import { fromMillionths } from '../../../market/prediction/millionths.ts'
import { isoTime, Source, Timestamp } from '../../../products/fields.ts'
import {
  Account,
  CoinName,
  Count,
  Profit,
  Shares,
  Side,
  toAccount,
  toOptionalAmount,
  UsdAmount,
  WindowStart,
} from '../../fields.ts'
import { BOT_SOURCE } from '../../sources.ts'
import type { AdminServices } from '../services.ts'

const LIMIT_MAX = 200

const Trade = z.object({
  ...Account.shape,
  coin: CoinName,
  window_start: WindowStart,
  condition_id: z.string().min(1),
  direction: Side.describe('The side that most was spent on'),
  outcome: Side,
  origin: z
    .enum(['round', 'operator', 'boss', 'mixed'])
    .describe('round: the bot by itself; operator: by hand; boss: the bot, forced by a boss signal'),
  confidence: z.number().min(0).max(1).nullable(),
  shares: Shares.describe('Bought'),
  cost_usd: UsdAmount.describe('Without fees'),
  fees_usd: UsdAmount,
  collected_usd: UsdAmount.describe('From sales and winning shares, without fees'),
  profit_usd: Profit.describe('collected less cost and fees'),
  round_profit_usd: Profit.nullable().describe(
    "What the bot's own purchases brought, whatever was traded by hand; null where it bought nothing",
  ),
  opened_at: z.iso.datetime(),
  resolved_at: z.iso.datetime(),
})

export const history = defineEndpoint({
  id: 'admin.trading_history',
  method: 'GET',
  path: '/admin/trading/history',
  access: operator('admin'),
  summary: 'Trades whose windows are resolved, page by page',
  description:
    'Every market that was traded and has resolved, newest window first, with cost, fees and profit. Each row says whose money it was; real_only leaves simulated money out. total counts all rows that fit.',
  params: z.object({
    limit: z.int().min(1).max(LIMIT_MAX).default(50).describe('At most so many rows'),
    offset: z.int().min(0).default(0).describe('Rows to skip'),
    real_only: z.boolean().default(false).describe('true: only trades with real money'),
  }),
  sample: { limit: 50, offset: 0, real_only: false },
  response: z.object({
    timestamp: Timestamp,
    source: Source,
    limit: z.int().min(1),
    offset: z.int(),
    real_only: z.boolean(),
    total: Count,
    count: Count.describe('Rows in this reply'),
    trades: z.array(Trade),
  }),
  handle: async ({ book, clock, sourceOf }: AdminServices, { limit, offset, real_only }) => {
    const filter = real_only ? ({ broker: 'polymarket' } as const) : {}
    const [trades, total] = await Promise.all([
      book.trades(filter, { limit, offset }),
      book.countTrades(filter),
    ])
    return {
      timestamp: isoTime(clock.now()),
      source: sourceOf(BOT_SOURCE),
      limit,
      offset,
      real_only,
      total,
      count: trades.length,
      trades: trades.map(toTrade),
    }
  },
})

const toTrade = (row: TradeRow): z.input<typeof Trade> => ({
  ...toAccount(row.broker),
  coin: row.coin,
  window_start: row.windowStartS,
  condition_id: row.conditionId,
  direction: row.direction,
  outcome: row.outcome,
  origin: row.origin,
  confidence: row.confidence ?? null,
  shares: fromMillionths(row.boughtSharesE6),
  cost_usd: fromMillionths(row.costE6),
  fees_usd: fromMillionths(row.feesE6),
  collected_usd: fromMillionths(row.collectedE6),
  profit_usd: fromMillionths(row.profitE6),
  round_profit_usd: toOptionalAmount(row.roundProfitE6),
  opened_at: isoTime(row.openedMs),
  resolved_at: isoTime(row.resolvedMs),
})
