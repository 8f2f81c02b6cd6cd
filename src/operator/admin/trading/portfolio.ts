import { z } from 'zod'
import type { OpenPosition } from '../../../bot/bot.ts'
import { operator } from '../../../catalog/access.ts'
import { defineEndpoint } from '../../../catalog/endpoints/endpoint.ts'
import { ServiceError } from '../../../core/service-error.ts'
import { fromMillionths } from '../../../market/prediction/millionths.ts'
import { isoTime, Source, Timestamp } from '../../../products/fields.ts'
import { Account, Count, Profit, toAccount, UsdAmount } from '../../fields.ts'
import { BROKER_SOURCE } from '../../sources.ts'
import type { AdminServices, BrokerAccount } from '../services.ts'

const Holdings = z.object({
  count: Count,
  cost_usd: UsdAmount.describe('With fees'),
  value_usd: UsdAmount.nullable().describe('At the best bids; null where one of them is not known'),
})

const AccountFigures = z.object({
  ...Account.shape,
  in_use: z.boolean().describe('True: the one that orders are placed with now'),
  cash_usd: UsdAmount.nullable(),
  positions: Holdings.nullable(),
  fault: z.string().optional().describe('Why cash or positions are null; there only while they are'),
  trades: Count.describe('Whose windows are resolved, yours and the bot’s'),
  profit_usd: Profit.describe('Of those trades, after fees'),
  fees_usd: UsdAmount.describe('Paid in those trades'),
  bot: z
    .object({ trades: Count, wins: Count, losses: Count, profit_usd: Profit })
    .describe('Of the trades that the bot alone made; a win has a profit after fees'),
})

export const portfolio = defineEndpoint({
  id: 'admin.portfolio',
  method: 'GET',
  path: '/admin/portfolio',
  access: operator('admin'),
  summary: 'Cash, positions and profit of each account',
  description:
    'One entry for each account: simulated money of the paper broker, and the account at the venue where one is configured. Figures of the two are never added up. An account that cannot be asked now is listed with the reason.',
  params: z.object({}),
  sample: {},
  response: z.object({ timestamp: Timestamp, source: Source, accounts: z.array(AccountFigures) }),
  handle: async (services: AdminServices) => ({
    timestamp: isoTime(services.clock.now()),
    source: services.sourceOf(BROKER_SOURCE),
    accounts: await Promise.all(services.accounts.map((account) => toFigures(services, account))),
  }),
})

async function toFigures(
  services: AdminServices,
  account: BrokerAccount,
): Promise<z.input<typeof AccountFigures>> {
  const isInUse = services.bot.status().broker === account.broker
  const { trades, profitE6, feesE6, bot } = services.results.total(account.broker).all
  return {
    ...toAccount(account.broker),
    in_use: isInUse,
    ...(await askAccount(services, account)),
    trades,
    profit_usd: fromMillionths(profitE6),
    fees_usd: fromMillionths(feesE6),
    bot: {
      trades: bot.trades,
      wins: bot.wins,
      losses: bot.losses,
      profit_usd: fromMillionths(bot.profitE6),
    },
  }
}

/** A venue that does not answer must not hide the other account. */
async function askAccount({ bot }: AdminServices, account: BrokerAccount) {
  try {
    const [cash, positions] = await Promise.all([
      account.cashE6(),
      bot.positions().then((all) => sumPositions(all.filter(({ broker }) => broker === account.broker))),
    ])
    return { cash_usd: fromMillionths(cash), positions }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return { cash_usd: null, positions: null, fault: error.message }
  }
}

function sumPositions(positions: readonly OpenPosition[]): z.input<typeof Holdings> {
  const isKnown = positions.every(({ valueE6 }) => valueE6 !== undefined)
  return {
    count: positions.length,
    cost_usd: fromMillionths(positions.reduce((sum, { costE6 }) => sum + costE6, 0n)),
    value_usd: isKnown
      ? fromMillionths(positions.reduce((sum, { valueE6 }) => sum + (valueE6 ?? 0n), 0n))
      : null,
  }
}
