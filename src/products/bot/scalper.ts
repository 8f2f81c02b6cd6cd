import { z } from 'zod'
import { MAX_POINTS } from '../../bot/results/equity-curve.ts'
import { free } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { ServiceError } from '../../core/service-error.ts'
import { SECOND_MS } from '../../core/time/time.ts'
import { fromMillionths } from '../../market/prediction/millionths.ts'
import { isoTime, Source, Timestamp } from '../fields.ts'
import {
  Account,
  AccountKind,
  kindOf,
  RESULTS_SOURCE,
  resultChanges,
  resultsOf,
  resultsTime,
  toAccount,
} from './account.ts'
import { Breaker, toBreaker } from './breaker.ts'
import { Figures, Risk, Today, toFigures, toRisk, toToday } from './figures.ts'
import type { PublicBot } from './public-bot.ts'
import type { BotServices } from './services.ts'
import { Trade, toTrade } from './trades.ts'

const RECENT = 10
/** Positions are looked up in the ledger: at most so often, whoever asks. */
const RENEWED_MS = 5 * SECOND_MS

const Now = z.object({
  account: AccountKind.describe('What it trades with now'),
  open_positions: z
    .int()
    .min(0)
    .nullable()
    .describe(
      'Of windows that have closed and are not resolved yet; null where they cannot be read right now',
    ),
  breaker: Breaker,
})

export const Scalper = z.object({
  timestamp: Timestamp.describe('When the newest trade was resolved'),
  source: Source,
  ...Account.shape,
  ...Figures.shape,
  ...Risk.shape,
  today: Today,
  equity_curve: z
    .array(z.object({ timestamp: z.iso.datetime(), pnl_usdc: z.number() }))
    .max(MAX_POINTS)
    .describe(
      'Profit of the account since its first trade: one point a day, and every trade of the newest day',
    ),
  recent_trades: z.array(Trade).max(RECENT).describe('Newest window first'),
  now: Now.nullable().describe('Null where no bot runs'),
})

export const scalper = defineEndpoint({
  id: 'bot.scalper',
  method: 'GET',
  path: '/api/scalper',
  access: free,
  summary: 'Profit and loss of the bot as a curve, with today and the newest trades',
  description: `What a dashboard shows: the profit after fees as an equity curve of at most ${MAX_POINTS} points, totals, drawdown, today (UTC), the newest trades, how many positions wait for their outcome and the circuit breaker. Of the account at the venue once it has traded, else of the paper account; account says which. Renewed every five seconds.`,
  params: z.object({}),
  sample: {},
  response: Scalper,
  changes: (services: BotServices) => [
    ...resultChanges(services),
    Math.floor(services.clock.now() / RENEWED_MS),
  ],
  handle: (services: BotServices) => toScalper(services),
})

/** Read from the ledger's results as they are now. */
export async function toScalper(services: ScalperServices): Promise<z.input<typeof Scalper>> {
  const now = services.bot ? await nowOf(services.bot) : null
  const results = resultsOf(services)
  const broker = results.leading()
  const total = results.total(broker)
  return {
    timestamp: resultsTime(services),
    source: services.sourceOf(RESULTS_SOURCE),
    ...toAccount(services, broker),
    ...toFigures(total.all),
    ...toRisk(total),
    today: toToday(results.today(broker), services.clock.now()),
    equity_curve: results
      .curve(broker)
      .map(({ atMs, profitE6 }) => ({ timestamp: isoTime(atMs), pnl_usdc: fromMillionths(profitE6) })),
    recent_trades: results.recent(broker, RECENT).map(toTrade),
    now,
  }
}
export type ScalperServices = Pick<BotServices, 'clock' | 'results' | 'bot' | 'sourceOf'>

async function nowOf(bot: PublicBot): Promise<z.input<typeof Now>> {
  const { broker, breaker } = bot.status()
  return { account: kindOf(broker), open_positions: await countOpen(bot), breaker: toBreaker(breaker) }
}

async function countOpen(bot: PublicBot): Promise<number | null> {
  try {
    return await bot.countUnresolved()
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return null
  }
}
