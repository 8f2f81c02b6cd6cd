import { isPlayMoney } from '../../../config/variables/variable.ts'
import { NEWEST_VERSION, versionOf } from '../../../ledger/sqlite/migrations.ts'
import { type Check, ok } from '../check.ts'
import { type Settings, viewOwnLedger } from '../view-own-ledger.ts'

/** Real money only: each directory of play money has a payee of its own. */
const UNSEEN = '; a second ledger of the same payee elsewhere cannot be seen from here, and must not be'

/** That a start would take the ledger: readable, of this release or an older one, of this mode and these addresses. */
export function ledgerCheck(config: Settings): Check {
  return {
    name: 'ledger',
    group: 'machine',
    advice: 'nothing was changed: see "Data" in docs/runbook.md before you start the service',
    async run() {
      const seen = viewOwnLedger(config, versionOf)
      if (!seen) return ok('there is none yet: the first start makes it')
      const { found: version } = seen
      return ok(
        version === NEWEST_VERSION
          ? `readable, version ${version}, of ${config.mode} mode${isPlayMoney(config.mode) ? '' : UNSEEN}`
          : `readable, version ${version}: the next start brings it to ${NEWEST_VERSION}, so make a backup first`,
      )
    },
  }
}
