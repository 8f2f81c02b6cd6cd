import type { Config } from '../config/config.ts'
import type { Log } from '../core/log.ts'
import type { Clock } from '../core/time/clock.ts'
import { createLive, type Live } from '../products/bot/live/live.ts'
import type { PublicRecord } from '../products/record/services.ts'
import type { OpenBot } from './bot.ts'
import type { OpenMarket } from './market.ts'
import type { OpenPrediction } from './prediction.ts'
import { createSourceOf } from './source-of.ts'

type Parts = {
  config: Pick<Config, 'mode'>
  clock: Clock
  log: Log
  open: Pick<OpenMarket, 'market' | 'signals'>
  venue: Pick<OpenPrediction, 'fiveMinute'>
  trading: Pick<OpenBot, 'publicBot' | 'results'>
  record: PublicRecord
}

/** What the live dashboard shows of all of them. */
export function openLive({ config, clock, log, open, venue, trading, record }: Parts): Live {
  const { market, signals } = open
  const { publicBot, results } = trading
  const sourceOf = createSourceOf(config.mode)
  const { fiveMinute } = venue
  return createLive({ clock, log, market, signals, fiveMinute, record, results, bot: publicBot, sourceOf })
}
