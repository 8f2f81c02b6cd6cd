import { z } from 'zod'
import type { Bot, OpenPosition } from '../../bot/bot.ts'
import type { Clock } from '../../core/time/clock.ts'
import { isoTime, Source, Timestamp } from '../../products/fields.ts'
import { Account, Count, toAccount } from '../fields.ts'
import { BOT_SOURCE } from '../sources.ts'
import { newestFirst, Position, toPosition } from './position-fields.ts'

/** What is held, and which broker is chosen now. */
export const PositionList = z.object({
  timestamp: Timestamp,
  source: Source,
  ...Account.shape,
  count: Count,
  positions: z.array(Position),
})

type Services = {
  bot: Pick<Bot, 'positions' | 'status'>
  clock: Clock
  sourceOf(source: string): string
}

/** Those that are to be shown, newest first. */
export async function listPositions(
  { bot, clock, sourceOf }: Services,
  isShown: (position: OpenPosition) => boolean,
): Promise<z.input<typeof PositionList>> {
  const shown = newestFirst((await bot.positions()).filter(isShown))
  return {
    timestamp: isoTime(clock.now()),
    source: sourceOf(BOT_SOURCE),
    ...toAccount(bot.status().broker),
    count: shown.length,
    positions: shown.map(toPosition),
  }
}
