import { NEWEST_VERSION, versionOf } from '../../../ledger/sqlite/migrations.ts'
import { type Check, ok } from '../check.ts'
import { type Settings, viewOwnLedger } from '../view-own-ledger.ts'

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
          ? `readable, version ${version}, of ${config.mode} mode`
          : `readable, version ${version}: the next start brings it to ${NEWEST_VERSION}, so make a backup first`,
      )
    },
  }
}
