import { existsSync } from 'node:fs'
import type { Config } from '../../config/config.ts'
import { isPlayMoney } from '../../config/variables/variable.ts'
import { removeDatabaseNote } from '../../ledger/files/database-note.ts'
import { findLedger } from '../../ledger/files/find-ledger.ts'
import { refuseHalfRestored } from '../../ledger/files/half-restored.ts'
import { changeLedger, ledgerPath } from '../../ledger/files/ledger-file.ts'
import { holdServiceLock } from '../../ledger/files/service-lock.ts'
import {
  type FoundLedger,
  findObjections,
  type Objection,
  toMessage,
  type Wanted,
} from '../../ledger/identity/objections.ts'
import { openDatabase } from '../../ledger/sqlite/database.ts'
import { countPaidTo, writeIdentity } from '../../ledger/sqlite/identity-book.ts'
import { checkLedgerFile } from '../../ledger/sqlite/ledger-fault.ts'
import { unmarkMoved } from '../../ledger/sqlite/moved-mark.ts'
import { inTransaction } from '../../ledger/sqlite/transaction.ts'
import { findSandboxFiles } from '../../sandbox/state-files.ts'
import { backToSimMode } from './back-to-sim-mode.ts'
import { newLedgerId } from './ledger-id.ts'
import { openPaidAddresses, readWanted } from './paid-addresses.ts'
import { refusePlayFiles } from './play-files.ts'

type Settings = Pick<Config, 'mode' | 'payTo' | 'dataDir'>
export type Agreement = {
  /** Agrees, or not, to what the objections mean. */
  confirm: (objections: readonly Objection[]) => Promise<boolean>
  /** Also a ledger that was moved to a database. Not by a mere yes: what was sold there is not in it. */
  takeBack?: boolean
}

export type Adoption = 'adopted' | 'adopted, no longer live' | 'refused' | 'nothing to adopt'

/**
 * Binds a ledger to this place and to the addresses paid, once `confirm` has agreed. Never to another mode. A bot that
 * traded live goes back to simulated money.
 */
export async function adoptLedger(
  config: Settings,
  { confirm, takeBack = false }: Agreement,
  nowMs: number,
): Promise<Adoption> {
  const { dataDir } = config
  const file = ledgerPath(dataDir)
  if (!existsSync(file))
    throw new Error(`there is no ledger at ${file} to adopt: correct TOLLBOOK_DATA_DIR or TOLLBOOK_MODE`)
  const lock = holdServiceLock(dataDir)
  try {
    refuseHalfRestored(dataDir)
    refusePlayFiles(config)
    checkLedgerFile(file)
    const found = inspect(config, file)
    const objections = findObjections(found, readWanted(config))
    const refused = objections.find(({ kind }) => kind === 'mode' || (kind === 'moved' && !takeBack))
    if (refused) throw new Error(toMessage(refused))
    if (objections.length === 0) return 'nothing to adopt'
    if (!(await confirm(objections))) return 'refused'
    return bind(config, found, nowMs) ? 'adopted, no longer live' : 'adopted'
  } finally {
    lock.release()
  }
}

function inspect(config: Settings, file: string): FoundLedger {
  return changeLedger(file, (db) => {
    const found = findLedger(db, file)
    if (!found.identity && found.hasHistory) refuseOtherMode(config, file, (payTo) => countPaidTo(db, payTo))
    return found
  })
}

/** A ledger of an earlier release names no mode, but the files around it and whom it paid tell play from real. */
function refuseOtherMode(
  config: Settings,
  file: string,
  count: (payTo: Wanted['payTo']) => { all: number; ours: number },
): void {
  const { mode, dataDir } = config
  if (isPlayMoney(mode) && findSandboxFiles(dataDir).length === 0)
    throw new Error(
      `${file} was not written in ${mode} mode, since ${dataDir} holds no play money: set TOLLBOOK_MODE to the mode it is of`,
    )
  if (mode === 'paper')
    throw new Error(
      `${file} is of an earlier release, which does not tell whether its market was real: start paper mode in another directory`,
    )
  const { all, ours } = count(readWanted(config).payTo)
  if (mode === 'live' && ours === 0)
    throw new Error(
      `${file} is of an earlier release and holds no payment to an address that is paid in this configuration, so nothing shows that it was live: ` +
        'set mode and addresses to those it was written with, or start in another directory',
    )
  if (all > 0 && ours === 0)
    throw new Error(
      `${file} holds ${all} payments, none of them to an address that is paid in this configuration: ` +
        `set mode and addresses to those it was written with, adopt it, and change them afterwards`,
    )
}

/** True where its bot traded live. */
function bind(config: Settings, { name, identity, place }: FoundLedger, nowMs: number): boolean {
  const payTo = openPaidAddresses(config)
  const db = openDatabase(name)
  try {
    const wasLive = inTransaction(db, () => {
      unmarkMoved(db)
      writeIdentity(db, { ledgerId: identity?.ledgerId ?? newLedgerId(), mode: config.mode, payTo, place })
      return backToSimMode(db, 'adopt', nowMs)
    })
    // Last: while it is there no start takes the file.
    removeDatabaseNote(config.dataDir)
    return wasLive
  } finally {
    db.close()
  }
}
