import { z } from 'zod'
import type { Breaker as BotBreaker } from '../../bot/bot.ts'
import { isoTime } from '../fields.ts'

export const Breaker = z
  .object({
    open: z.boolean().describe('True: nothing is traded until the operator resets it'),
    since: z.iso.datetime().nullable().describe('When it opened or was last reset; null if it never did'),
    consecutive_losses: z.int().min(0),
  })
  .describe('Circuit breaker of the bot')

export function toBreaker({ isOpen, sinceMs, consecutiveLosses }: BotBreaker): z.input<typeof Breaker> {
  return {
    open: isOpen,
    since: sinceMs === undefined ? null : isoTime(sinceMs),
    consecutive_losses: consecutiveLosses,
  }
}
