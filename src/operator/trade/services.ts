import type { Bot } from '../../bot/bot.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { FiveMinuteMarkets } from '../../feeds/prediction/five-minute-markets.ts'
import type { BotBook } from '../../ledger/ports/bot-book.ts'
import type { OperatorBook } from '../../ledger/ports/operator-book.ts'

export type TradeServices = {
  clock: Clock
  bot: Bot
  book: Pick<BotBook, 'findResolution'>
  operatorBook: Pick<OperatorBook, 'addSignal' | 'signals'>
  fiveMinute: Pick<FiveMinuteMarkets, 'open' | 'missing'>
  sourceOf(source: string): string
}
