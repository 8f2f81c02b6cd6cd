import type { Bot } from '../../bot/bot.ts'
import type { Broker } from '../../bot/brokers/broker.ts'
import type { ResultsReader } from '../../bot/results/results.ts'
import type { Config } from '../../config/config.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { Feeds } from '../../feeds/feeds.ts'
import type { FiveMinuteFeed } from '../../feeds/prediction/five-minute-markets.ts'
import type { MarketListFeed } from '../../feeds/prediction/list/market-list.ts'
import { createKeptBackups, type KeptBackups } from '../../ledger/files/kept-backups.ts'
import type { Store } from '../../ledger/ports/store.ts'
import type { AdminServices, BrokerAccount } from '../../operator/admin/services.ts'
import type { TradeServices } from '../../operator/trade/services.ts'
import type { PaymentDesk } from '../../products/payments/services.ts'
import type { SignalServices } from '../../products/signals/services.ts'
import { DUMP_INSTEAD } from '../ledger/refuse-database.ts'
import { createCommands, type NamedCache } from './commands.ts'

/** What the operator's endpoints are made of, but for what the shop makes. */
export type OperatorParts = {
  config: Pick<Config, 'mode' | 'dataDir' | 'databaseUrl' | 'backupPassphrase'>
  clock: Clock
  bot: Bot
  brokers: { paper: Broker; polymarket: Broker | undefined }
  results: Pick<ResultsReader, 'total'>
  store: Pick<Store, 'bot' | 'operator' | 'pageViews' | 'finality'>
  feeds: Pick<Feeds, 'reconnect' | 'health'>
  fiveMinute: FiveMinuteFeed
  list: MarketListFeed
  signals: SignalServices['signals']
  health: AdminServices['health']
  sourceOf(source: string): string
}
/** What the shop adds once it is open. */
export type ShopParts = { payments: PaymentDesk; caches: readonly NamedCache[] }
export type OperatorServices = { trade: TradeServices; admin: AdminServices }

export function createOperatorServices(parts: OperatorParts, shop: ShopParts): OperatorServices {
  const { config, clock, bot, store, fiveMinute, brokers, sourceOf } = parts
  const { dataDir, backupPassphrase: passphrase } = config
  const shared = { clock, bot, book: store.bot, operatorBook: store.operator, fiveMinute, sourceOf }
  return {
    trade: shared,
    admin: {
      ...shared,
      mode: config.mode,
      signals: parts.signals,
      payments: shop.payments,
      finality: store.finality,
      pageViews: store.pageViews,
      accounts: [brokers.paper, brokers.polymarket].filter((broker) => broker !== undefined).map(toAccount),
      results: parts.results,
      health: parts.health,
      commands: createCommands({
        clock,
        bot,
        fiveMinute,
        feeds: parts.feeds,
        list: parts.list,
        caches: shop.caches,
        backups: config.databaseUrl ? NO_BACKUPS : createKeptBackups({ dataDir, passphrase, clock }),
      }),
    },
  }
}

const NO_BACKUPS: KeptBackups = {
  async make() {
    throw new ServiceError('conflict', 'the ledger is in a database, and this command copies the file', {
      hint: DUMP_INSTEAD,
    })
  },
}

const toAccount = (broker: Broker): BrokerAccount => ({
  broker: broker.name,
  cashE6: () => broker.cashE6(),
})
