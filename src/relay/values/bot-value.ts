import { z } from 'zod'
import { STRATEGIES } from '../../bot/trading-config.ts'
import type { TradeRow } from '../../ledger/ports/bot-book.ts'
import type { ToldStatus, Wallet } from '../../products/bot/public-bot.ts'
import { flag, maybe, number, shape, text } from './shape.ts'

/** `wallet`: undefined while it is not known. */
export type BotValue = { status: ToldStatus; wallet: Wallet | undefined }

const Broker = z.enum(['paper', 'polymarket'])
const Confidence = z.number().min(0).max(1)
const Config = z.object({
  simMode: flag,
  enabled: flag,
  strategy: z.enum(STRATEGIES),
  contrarian: z.object({ enabled: flag, maxConfidence: Confidence }),
  minConfidence: Confidence,
  sizeUsd: z.bigint(),
  maxTradesPerDay: number,
  maxConsecutiveLosses: number,
  dailyLossLimitUsd: z.bigint(),
})

const Status = shape<ToldStatus>()({
  state: z.enum(['starting', 'running', 'paused', 'stopped', 'blocked', 'limited']),
  broker: Broker,
  config: z.object({ version: number, atMs: number, by: text, config: Config }),
  breaker: z.object({
    isOpen: flag,
    reason: maybe(text),
    sinceMs: maybe(number),
    consecutiveLosses: number,
  }),
  startedMs: number,
  lastReconciledMs: maybe(number),
})

export const BotValue = shape<BotValue>()({
  status: Status,
  wallet: maybe(z.object({ broker: Broker, amountE6: z.bigint() })),
})

/** The newest trades whose rows are in the ledger, each with its number among those of the term. */
export type SettledTrades = {
  epoch: number
  trades: readonly { nth: number; broker: TradeRow['broker']; conditionId: string }[]
}
export const SettledTrades = shape<SettledTrades>()({
  epoch: number,
  trades: z.array(z.object({ nth: number, broker: Broker, conditionId: text })),
})

/** How many leaves the public record has. */
export const RecordValue = z.object({ treeSize: number })
