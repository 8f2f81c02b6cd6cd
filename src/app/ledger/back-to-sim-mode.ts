import type { DatabaseSync } from 'node:sqlite'
import { parseConfigText, toConfigText } from '../../bot/config/stored-config.ts'
import type { TradingConfig } from '../../bot/trading-config.ts'
import { insertConfig, readSwitches } from '../../ledger/sqlite/bot/controls.ts'
import { hasTable } from '../../ledger/sqlite/identity-book.ts'

/**
 * A ledger in a new place does not know what was traded since it was copied: its bot goes back to simulated money until
 * the operator says otherwise. False where it was not live.
 */
export function backToSimMode(db: DatabaseSync, by: 'restore' | 'adopt', nowMs: number): boolean {
  // A ledger of an earlier release has no bot.
  if (!hasTable(db, 'bot_configs')) return false
  const { config: row } = readSwitches(db)
  const text = row && toSimText(row.text)
  if (!row || text === undefined) return false
  insertConfig(db, { version: row.version + 1, atMs: nowMs, by, text })
  return true
}

/** The same configuration with simulated money; undefined where it is that already. */
export function toSimText(text: string): string | undefined {
  const config = findConfig(text)
  return config && !config.simMode ? toConfigText({ ...config, simMode: true }) : undefined
}

/** With one that cannot be read the bot starts in sim mode, not enabled and with its breaker open. */
function findConfig(text: string): TradingConfig | undefined {
  try {
    return parseConfigText(text)
  } catch {
    return undefined
  }
}
