import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../config/config.ts'
import type { Log } from '../../core/log.ts'
import { ledgerPath } from '../../ledger/files/ledger-file.ts'

/** Where earlier releases kept the data of every mode. */
const OLD_DATA_DIR = './data'

/** A start that would silently begin anew beside an old ledger says where that is. `root` is the working directory. */
export function warnOfOldLedger(
  { dataDir, mode }: Pick<Config, 'dataDir' | 'mode'>,
  log: Pick<Log, 'warn'>,
  root = '.',
): void {
  const ledger = ledgerPath(join(root, OLD_DATA_DIR))
  if (dataDir !== `${OLD_DATA_DIR}/${mode}` || !existsSync(ledger)) return
  const next = `to go on with it, set TOLLBOOK_DATA_DIR=${OLD_DATA_DIR} and run ./tollbook adopt; else move it away`
  log.warn(
    { ledger, next },
    'a ledger of an earlier release is not used: every mode has a directory of its own now',
  )
}
