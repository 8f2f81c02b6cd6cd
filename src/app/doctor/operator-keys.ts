import type { Config } from '../../config/config.ts'
import { findWeakKey } from '../../config/weak-key.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { OperatorKeyRow } from '../../ledger/ports/operator-book.ts'
import { hasTable } from '../../ledger/sqlite/identity-book.ts'
import { readKeys } from '../../ledger/sqlite/operator/keys.ts'
import { type Check, ok, skipped, warning } from './check.ts'
import { isRefused, SEE_LEDGER, type Settings, viewOwnLedger } from './view-own-ledger.ts'

const MAKE_ONE = './tollbook keys make --label <name> --scope admin --scope trade'

const START_FIRST = `start the service once, which makes the ledger, then ${MAKE_ONE}`

/** That somebody can operate the service, and that nobody can guess how. */
export function operatorKeysCheck(
  config: Settings & Pick<Config, 'operatorKey' | 'databaseUrl'>,
  clock: Clock,
): Check {
  return {
    name: 'operator-keys',
    group: 'operator',
    advice: 'see "Operator keys" in docs/runbook.md',
    async run() {
      const { operatorKey } = config
      if (config.databaseUrl) return skipped('in the database: ./tollbook keys list shows them')
      if (isRefused(config)) return SEE_LEDGER
      const ledger = viewOwnLedger(config, (db) => (hasTable(db, 'operator_keys') ? readKeys(db) : []))
      const rows = ledger?.found ?? []
      const working = rows.filter(({ revokedMs }) => revokedMs === undefined || revokedMs > clock.now())
      const [weak] = findWeakKey(operatorKey?.reveal())
      if (weak !== undefined) return warning(weak)
      if (working.length === 0 && !operatorKey)
        return config.mode === 'sandbox' && rows.length === 0
          ? ok('there is none yet: the first start makes one')
          : warning(
              'there is no working key: nobody can operate the service',
              ledger ? MAKE_ONE : START_FIRST,
            )
      return ok([...(operatorKey ? ['TOLLBOOK_OPERATOR_KEY'] : []), ...working.map(describe)].join('; '))
    },
  }
}

const describe = ({ id, label, scopes, lastUsedMs }: OperatorKeyRow) =>
  `${id} ${JSON.stringify(label)} (${scopes.join(', ')}), ${lastUsedMs === undefined ? 'never used' : `last used ${new Date(lastUsedMs).toISOString()}`}`
