import type { Bot } from '../../bot/bot.ts'
import type { ResultsReader } from '../../bot/results/results.ts'
import type { Mode } from '../../config/variables/variable.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { FiveMinuteMarkets } from '../../feeds/prediction/five-minute-markets.ts'
import type { BotBook, BrokerName } from '../../ledger/ports/bot-book.ts'
import type { FinalityBook } from '../../ledger/ports/finality-book.ts'
import type { OperatorBook } from '../../ledger/ports/operator-book.ts'
import type { PageViewLog } from '../../ledger/ports/page-view-log.ts'
import type { PaymentDesk } from '../../products/payments/services.ts'
import type { HealthReport } from '../../products/service/services.ts'
import type { SignalServices } from '../../products/signals/services.ts'
import type { Commands } from './commands.ts'

export type AdminServices = {
  clock: Clock
  /** Play money that was paid to us is told from real money in every sum. */
  mode: Mode
  bot: Bot
  book: Pick<BotBook, 'decisions' | 'trades' | 'countTrades' | 'bossSignals'>
  operatorBook: Pick<OperatorBook, 'addTask' | 'tasks' | 'signals' | 'audit' | 'auditDropped'>
  fiveMinute: Pick<FiveMinuteMarkets, 'open' | 'missing'>
  signals: SignalServices['signals']
  payments: Pick<PaymentDesk, 'overview' | 'sales' | 'usage' | 'refused'>
  finality: Pick<FinalityBook, 'overview'>
  pageViews: Pick<PageViewLog, 'perDay'>
  /** Accounts that there are, the paper one first. */
  accounts: readonly BrokerAccount[]
  results: Pick<ResultsReader, 'total'>
  commands: Commands
  health(): Promise<HealthReport>
  sourceOf(source: string): string
}

/** One broker's account. */
export type BrokerAccount = {
  broker: BrokerName
  cashE6(): Promise<bigint>
}
