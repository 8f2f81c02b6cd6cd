import { z } from 'zod'
import { free } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { COINS } from '../../core/coin.ts'
import { Source, Timestamp } from '../fields.ts'
import {
  Account,
  AccountKind,
  kindOf,
  otherThan,
  RESULTS_SOURCE,
  resultChanges,
  resultsOf,
  resultsTime,
  toAccount,
} from './account.ts'
import { CoinFigures, Figures, Today, toCoinFigures, toFigures, toToday } from './figures.ts'
import type { BotServices } from './services.ts'

export const stats = defineEndpoint({
  id: 'bot.stats',
  method: 'GET',
  path: '/api/stats',
  access: free,
  summary: 'Trading statistics of the bot',
  description:
    'Profit after fees, fees, volume and win rate in percent with its 95 % interval, in all, today (UTC) and per coin. Of the account at the venue once it has traded, else of the paper account; the other one is in other_account, and no figure mixes them. Only trades that the bot decided on by itself count in a win rate; below 30 of them it says that it means little.',
  params: z.object({}),
  sample: {},
  response: z.object({
    timestamp: Timestamp.describe('When the newest trade was resolved'),
    source: Source,
    ...Account.shape,
    ...Figures.shape,
    today: Today,
    per_coin: z.array(CoinFigures).min(1).max(COINS.length),
    other_account: z.object({ account: AccountKind, ...Figures.shape }),
  }),
  changes: (services: BotServices) => resultChanges(services),
  handle: (services: BotServices) => {
    const results = resultsOf(services)
    const broker = results.leading()
    const other = otherThan(broker)
    const total = results.total(broker)
    return {
      timestamp: resultsTime(services),
      source: services.sourceOf(RESULTS_SOURCE),
      ...toAccount(services, broker),
      ...toFigures(total.all),
      today: toToday(results.today(broker), services.clock.now()),
      per_coin: toCoinFigures(total),
      other_account: { account: kindOf(other), ...toFigures(results.total(other).all) },
    }
  },
})
