import { z } from 'zod'
import { PAUSED_WORDS, STRATEGIES } from '../../bot/trading-config.ts'
import { free } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { COINS } from '../../core/coin.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { DecisionRow } from '../../ledger/ports/bot-book.ts'
import { fromMillionths } from '../../market/prediction/millionths.ts'
import { isoTime, Note, Source, Timestamp, WindowEdge } from '../fields.ts'
import { AccountKind, kindOf, resultsOf } from './account.ts'
import { Breaker, toBreaker } from './breaker.ts'
import { BOT_NAME, PLATFORM } from './performance.ts'
import type { PublicBot } from './public-bot.ts'
import type { PublicState } from './public-state.ts'
import type { BotServices } from './services.ts'

const STATUS_SOURCE = 'bot'
/** In our own words: what the bot tells its operator may name accounts and settings. */
const STATES: Record<PublicState, string> = {
  starting: 'it compares its ledger with the venue before it trades',
  running: 'it looks at every window of every coin',
  paused: PAUSED_WORDS,
  stopped: 'its circuit breaker is open until the operator resets it',
  blocked: 'something that it needs for trading is missing or not answering',
}

/** What it is doing, as a word and in words. */
export const StatusWords = z.object({
  state: z
    .enum(['starting', 'running', 'paused', 'stopped', 'blocked'])
    .nullable()
    .describe('Null where no bot runs'),
  meaning: z.string().describe('The state in words'),
})

export function toStatusWords(bot: PublicBot | undefined): z.input<typeof StatusWords> {
  if (!bot) return { state: null, meaning: NO_BOT }
  const { state } = bot.status()
  return { state, meaning: STATES[state] }
}
const NO_BOT = 'no bot runs here'

const LastDecision = z.object({
  coin: z.enum(COINS),
  window_start: WindowEdge,
  at: z.iso.datetime(),
  account: AccountKind,
  action: z.enum(['buy', 'none']),
  reason: z.string().min(1).describe('Name of the rule that decided'),
})

const PublicStatus = z.object({
  name: z.string().min(1),
  platform: z.string().min(1),
  state: z.enum(['starting', 'running', 'paused', 'stopped', 'blocked']),
  meaning: Note.describe('The state in words'),
  account: AccountKind.describe('What it trades with now'),
  strategy: z.enum(STRATEGIES),
  coins: z.array(z.enum(COINS)).min(1).max(COINS.length),
  started_at: z.iso.datetime(),
  reconciled_at: z.iso.datetime().nullable().describe('When ledger and venue were last compared'),
  today: z
    .object({
      trades: z.int().min(0).describe('Trades that are resolved, those of the operator included'),
      pnl_usdc: z.number().describe('After fees'),
    })
    .describe('UTC day, of the account it trades with now'),
  breaker: Breaker,
  last_decision: LastDecision.nullable().describe('The newest one whose window has closed'),
})

export const botStatus = defineEndpoint({
  id: 'bot.status',
  method: 'GET',
  path: '/api/bot-status',
  access: free,
  summary: 'What the bot is doing',
  description:
    'State of the trading bot: running, paused, stopped by its circuit breaker or blocked, with which account, its strategy, resolved trades and profit after fees of today, and its last decision about a window that has closed. What it does in the open window is not told. Without a bot the list is empty, and note says so.',
  params: z.object({}),
  sample: {},
  response: z.object({
    timestamp: Timestamp,
    source: Source,
    count: z.int().min(0),
    note: Note.optional().describe('Why the list is empty; there only while it is'),
    bots: z.array(PublicStatus).max(1),
  }),
  handle: async (services: BotServices) => {
    const { bot, clock, sourceOf } = services
    const bots = bot ? [await toPublicStatus(services, bot)] : []
    return {
      timestamp: isoTime(clock.now()),
      source: sourceOf(STATUS_SOURCE),
      count: bots.length,
      ...(bots.length === 0 && { note: NO_BOT }),
      bots,
    }
  },
})

async function toPublicStatus(services: BotServices, bot: PublicBot): Promise<z.input<typeof PublicStatus>> {
  const decision = await findDecision(bot)
  const { state, broker, config, breaker, startedMs, lastReconciledMs } = bot.status()
  const { all } = resultsOf(services).today(broker)
  return {
    name: BOT_NAME,
    platform: PLATFORM,
    state,
    meaning: STATES[state],
    account: kindOf(broker),
    strategy: config.config.strategy,
    coins: [...COINS],
    started_at: isoTime(startedMs),
    reconciled_at: lastReconciledMs === undefined ? null : isoTime(lastReconciledMs),
    today: { trades: all.trades, pnl_usdc: fromMillionths(all.profitE6) },
    breaker: toBreaker(breaker),
    last_decision: decision ? toLastDecision(decision) : null,
  }
}

async function findDecision(bot: PublicBot): Promise<DecisionRow | undefined> {
  try {
    return await bot.lastDecision()
  } catch (error) {
    // The state is worth knowing also while the ledger cannot be read.
    if (!(error instanceof ServiceError)) throw error
    return undefined
  }
}

const toLastDecision = (row: DecisionRow): z.input<typeof LastDecision> => ({
  coin: row.coin,
  window_start: row.windowStartS,
  at: isoTime(row.atMs),
  account: kindOf(row.broker),
  action: row.action,
  reason: row.reason,
})
