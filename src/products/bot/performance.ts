import { z } from 'zod'
import type { ResultsReader } from '../../bot/results/results.ts'
import { paid } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { usd } from '../../core/money.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { BrokerName } from '../../ledger/ports/bot-book.ts'
import { fromMillionths } from '../../market/prediction/millionths.ts'
import { isoTime, Source, Timestamp } from '../fields.ts'
import {
  Account,
  AccountKind,
  kindOf,
  otherThan,
  RESULTS_SOURCE,
  resultsOf,
  resultsTime,
  toAccount,
} from './account.ts'
import { CoinFigures, Figures, Risk, Today, toCoinFigures, toFigures, toRisk, toToday } from './figures.ts'
import type { BotServices } from './services.ts'
import { Trade, toTrade } from './trades.ts'

export const BOT_NAME = 'Tollbook five-minute bot'
export const PLATFORM = 'Polymarket'
const RECENT = 20

const Portfolio = z.object({
  wallet_usdc: z
    .number()
    .nullable()
    .describe(
      'Cash of the account, with what waits for its outcome at its cost; renewed once in a window. Null where wallet_note says why',
    ),
  wallet_note: z.string().optional(),
  ...Figures.shape,
  ...Risk.shape,
})

export const performance = defineEndpoint({
  id: 'bot.performance',
  method: 'GET',
  path: '/performance',
  access: paid(usd('0.01')),
  summary: 'Track record of our own bot: profit after fees, win rate, drawdown, trades',
  description:
    'Wallet, profit after fees, win rate in percent with its 95 % interval, drawdown, losing runs, figures per coin and of today, and the newest trades. Of the account at the venue once it has traded, else of the paper account; account says which, other_account has the other one, and no figure mixes them. Below 30 trades a win rate is marked as meaning little.',
  title: () => 'Track record of our own bot',
  brings: 'What our own bot made after fees, how often it won, its worst stretch and its newest trades.',
  params: z.object({}),
  sample: {},
  response: z.object({
    // Of now, however long ago the last trade was: who asks for fresh figures with max_age gets them.
    timestamp: Timestamp.describe('The figures hold at this moment'),
    changed_at: z.iso.datetime().describe('When the newest trade was resolved'),
    source: Source,
    ...Account.shape,
    portfolio: Portfolio,
    today: Today,
    per_coin: z.array(CoinFigures),
    recent_trades: z.array(Trade).max(RECENT).describe('Newest window first'),
    other_account: z.object({ account: AccountKind, ...Figures.shape, ...Risk.shape }),
    bot: z.string(),
    platform: z.string(),
  }),
  tool: 'get_performance',
  handle: async (services: BotServices) => {
    const results = resultsOf(services)
    const broker = results.leading()
    const wallet = await walletOf(services, broker)
    // Of the same moment, after the wait.
    const total = results.total(broker)
    const other = otherThan(broker)
    return {
      timestamp: isoTime(services.clock.now()),
      changed_at: resultsTime(services),
      source: services.sourceOf(RESULTS_SOURCE),
      ...toAccount(services, broker),
      portfolio: { ...wallet, ...sumsOf(results, broker) },
      today: toToday(results.today(broker), services.clock.now()),
      per_coin: toCoinFigures(total),
      recent_trades: results.recent(broker, RECENT).map(toTrade),
      other_account: { account: kindOf(other), ...sumsOf(results, other) },
      bot: BOT_NAME,
      platform: PLATFORM,
    }
  },
})

function sumsOf(results: ResultsReader, broker: BrokerName) {
  const total = results.total(broker)
  return { ...toFigures(total.all), ...toRisk(total) }
}

type Wallet = Pick<z.input<typeof Portfolio>, 'wallet_usdc' | 'wallet_note'>

/** The bot knows only the account that it trades with now. */
async function walletOf({ bot }: BotServices, broker: BrokerName): Promise<Wallet> {
  if (!bot) return { wallet_usdc: null, wallet_note: 'no bot runs here' }
  try {
    const { broker: current, amountE6 } = await bot.wallet()
    if (current === broker) return { wallet_usdc: fromMillionths(amountE6) }
    return { wallet_usdc: null, wallet_note: `the bot trades with its ${kindOf(current)} account now` }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return { wallet_usdc: null, wallet_note: 'the account cannot be read right now' }
  }
}
