import type { By } from '../../bot/bot.ts'

export const COMMANDS = [
  'pause_bot',
  'resume_bot',
  'refresh_markets',
  'reconnect_feeds',
  'flush_caches',
  'backup_store',
] as const
export type CommandName = (typeof COMMANDS)[number]

/** What a command has done: a sentence, and its numbers. */
export type CommandReport = { did: string; facts: Readonly<Record<string, string | number | boolean>> }

/** Each resolves when it is done, and throws a `ServiceError` where it cannot be. */
export type Commands = Readonly<Record<CommandName, (by: By) => Promise<CommandReport>>>
