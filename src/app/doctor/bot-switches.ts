import { parseConfigText } from '../../bot/config/stored-config.ts'
import { DEFAULT_CONFIG } from '../../bot/trading-config.ts'
import type { Config } from '../../config/config.ts'
import { readSwitches } from '../../ledger/sqlite/bot/controls.ts'
import { hasTable } from '../../ledger/sqlite/identity-book.ts'
import { type Check, failure, ok, skipped, warning } from './check.ts'
import { isRefused, SEE_LEDGER, type Settings, viewOwnLedger } from './view-own-ledger.ts'

const RESET = 'read the reason, then send POST /admin/trading/reset-cb'

/** Whether the bot may trade, with what money, and whether its breaker stops it. */
export function botSwitchesCheck(config: Settings & Pick<Config, 'polymarket' | 'databaseUrl'>): Check {
  return {
    name: 'bot',
    group: 'operator',
    advice:
      'the stored configuration of the bot cannot be read: send a new one to POST /admin/trading/config',
    async run() {
      if (config.databaseUrl) return skipped('in the database: GET /admin/trading shows its switches')
      if (isRefused(config)) return SEE_LEDGER
      const switches = viewOwnLedger(config, (db) =>
        hasTable(db, 'bot_configs') ? readSwitches(db) : undefined,
      )?.found
      if (!switches) return skipped('there is no ledger of it yet')
      const { config: row, breaker } = switches
      const { enabled, simMode } = row ? parseConfigText(row.text) : DEFAULT_CONFIG
      if (!simMode && config.mode === 'live' && !config.polymarket)
        return failure(
          'live trading is switched on and no account is set',
          'set TOLLBOOK_POLY_OWNER_KEY and what belongs to it, or send {"sim_mode":true} to POST /admin/trading/config',
        )
      if (breaker?.kind === 'opened') return warning(`its breaker is open: ${breaker.reason}`, RESET)
      const money = simMode ? 'on paper (sim_mode)' : 'with real orders'
      return ok(enabled ? `trades ${money}` : `is not enabled; it would trade ${money}`)
    },
  }
}
