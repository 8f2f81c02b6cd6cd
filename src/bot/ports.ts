import type { Coin } from '../core/coin.ts'
import type { Log } from '../core/log.ts'
import type { Clock } from '../core/time/clock.ts'
import type { FiveMinuteFeed } from '../feeds/prediction/five-minute-markets.ts'
import type { BotBook, TradeRow } from '../ledger/ports/bot-book.ts'
import type { SignalEngine } from '../signals/live/engine.ts'
import type { Direction } from '../signals/signal.ts'
import type { Broker } from './brokers/broker.ts'

/** What the bot is made of. */
export type BotPorts = {
  clock: Clock
  log: Log
  book: BotBook
  /** Without `polymarket` there is nothing to leave sim mode for. */
  brokers: { paper: Broker; polymarket: Broker | undefined }
  /** Why `polymarket` is missing, and what to set, for the operator who asks for it. */
  whyNoLive: string
  signals: Pick<SignalEngine, 'signal' | 'missing'>
  markets: Pick<FiveMinuteFeed, 'open' | 'missing' | 'market' | 'onResolved'>
  /** Asks the venue how an older window ended; `SPLIT`: both sides pay alike; undefined while it is not resolved. */
  findOutcome(coin: Coin, windowStartS: number): Promise<Direction | 'SPLIT' | undefined>
  /** Called for every market that is settled, or settled again, after the row is written. */
  onSettled?: (trade: TradeRow) => void
}
