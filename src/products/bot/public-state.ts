import type { BotStatus } from '../../bot/bot.ts'

export type PublicState = Exclude<BotStatus['state'], 'limited'>

/** A limit of the day is reached by a purchase in the open window too, and those are not told: it looks like running. */
export const toPublicState = (state: BotStatus['state']): PublicState =>
  state === 'limited' ? 'running' : state
