import type { ToldStatus } from '../../products/bot/public-bot.ts'
import type { OpenBot } from '../bot.ts'
import type { OpenHistory } from '../history.ts'
import type { OpenIntel } from '../intel/intel.ts'
import type { Running } from '../leader-work.ts'
import type { KnownMarket, KnownVenue } from './known-market.ts'

/** What is known of the market and all around it, whether this process follows it or hears of it. */
export type Known = Running & {
  open: KnownMarket
  venue: KnownVenue
  trading: Pick<OpenBot, 'publicBot' | 'results' | 'counters'> & { bot: { status(): ToldStatus } }
  intel: OpenIntel
  /** Undefined where another process keeps it. */
  history: Pick<OpenHistory, 'health'> | undefined
  /** Why the engine is not heard; absent where this process is the engine. */
  missing?: () => string | undefined
}
