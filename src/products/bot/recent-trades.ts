import { z } from 'zod'
import { free } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { Note, Source, Timestamp } from '../fields.ts'
import { Account, RESULTS_SOURCE, resultChanges, resultsOf, resultsTime, toAccount } from './account.ts'
import { PREVIEW_LIMIT, PREVIEW_MAX_AGE } from './limits.ts'
import type { BotServices } from './services.ts'
import { NO_TRADES_NOTE, Trade, toTrade } from './trades.ts'

const MOST_TRADES = 50

const RecentTrades = z.object({
  timestamp: Timestamp.describe('When the newest trade was resolved'),
  source: Source,
  ...Account.shape,
  count: z.int().min(0),
  total: z.int().min(0).describe('Resolved trades of the account, before limit'),
  note: Note.optional().describe('Why the list is empty; there only while it is'),
  trades: z.array(Trade).max(MOST_TRADES).describe('Newest window first'),
})

const limitOf = (max: number) => z.int().min(1).max(max).default(10).describe('At most so many trades')

const shared = {
  method: 'GET' as const,
  access: free,
  sample: {},
  response: RecentTrades,
  changes: (services: BotServices) => resultChanges(services),
  handle: (services: BotServices, { limit }: { limit: number }) => toRecentTrades(services, limit),
}

export const recentTrades = defineEndpoint({
  ...shared,
  id: 'bot.recent_trades',
  path: '/api/trades/recent',
  summary: 'Latest resolved trades of the bot',
  description:
    'The newest resolved five-minute trades with direction, outcome, profit after fees and fees. Of the account at the venue once it has traded, else of the paper account; account says which, and the two are never mixed.',
  params: z.object({ limit: limitOf(30) }),
})

export const publicTrades = defineEndpoint({
  ...shared,
  id: 'bot.public_trades',
  path: '/public/recent-trades',
  summary: 'Latest resolved trades of the bot, for pages and caches',
  description:
    'The newest resolved five-minute trades with direction, outcome, profit after fees and fees. May be cached for 60 seconds and carries an ETag. account says whether it is simulated money or a real account; the two are never mixed.',
  params: z.object({ limit: limitOf(MOST_TRADES) }),
  limit: PREVIEW_LIMIT,
  cacheControl: PREVIEW_MAX_AGE,
  etag: true,
})

function toRecentTrades(services: BotServices, limit: number): z.input<typeof RecentTrades> {
  const results = resultsOf(services)
  const broker = results.leading()
  const trades = results.recent(broker, limit).map(toTrade)
  return {
    timestamp: resultsTime(services),
    source: services.sourceOf(RESULTS_SOURCE),
    ...toAccount(services, broker),
    count: trades.length,
    total: results.total(broker).all.trades,
    ...(trades.length === 0 && { note: NO_TRADES_NOTE }),
    trades,
  }
}
