import type { Config } from '../config/config.ts'
import type { Log } from '../core/log.ts'
import type { Clock } from '../core/time/clock.ts'
import { createLive, type Live } from '../products/bot/live/live.ts'
import type { PublicRecord } from '../products/record/services.ts'
import type { Known } from './roles/known.ts'
import { createSourceOf } from './source-of.ts'

type Parts = {
  config: Pick<Config, 'mode'>
  clock: Clock
  log: Log
  open: Pick<Known['open'], 'market' | 'signals'>
  venue: Pick<Known['venue'], 'fiveMinute'>
  trading: Pick<Known['trading'], 'publicBot' | 'results'>
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
