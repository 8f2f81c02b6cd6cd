import { existsSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import type { Config } from '../../config/config.ts'
import { ledgerPath, viewLedger } from '../../ledger/files/ledger-file.ts'
import { checkLedgerFile } from '../../ledger/sqlite/ledger-fault.ts'
import { admitLedger } from '../ledger/admit-ledger.ts'
import { skipped } from './check.ts'

export type Settings = Pick<Config, 'mode' | 'payTo' | 'dataDir'>

/** Looks at the ledger if it is one that a start would take; undefined where there is none yet. Writes nothing. */
export function viewOwnLedger<T>(config: Settings, view: (db: DatabaseSync) => T): { found: T } | undefined {
  const file = ledgerPath(config.dataDir)
  const admit = admitLedger(config, file)
  checkLedgerFile(file)
  if (!existsSync(file)) return undefined
  return viewLedger(file, (db) => {
    admit(db)
    return { found: view(db) }
  })
}

/** The check of the ledger says why, and what to do: advice about what is in it would send people the wrong way. */
export function isRefused(config: Settings): boolean {
  try {
    viewOwnLedger(config, () => undefined)
    return false
  } catch {
    return true
  }
}

export const SEE_LEDGER = skipped('not looked at: see what is said of the ledger')
