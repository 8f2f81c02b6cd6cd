import { accessSync, constants, existsSync, type Stats, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Config } from '../../../config/config.ts'
import { explainFileFault } from '../../../core/file-fault.ts'
import { refuseHalfRestored } from '../../../ledger/files/half-restored.ts'
import { refusePlayFiles } from '../../ledger/play-files.ts'
import { type Check, type Finding, failure, ok, warning } from '../check.ts'

const { R_OK, W_OK, X_OK } = constants
/** Whoever may write here can put another ledger or key in place. */
const WRITABLE_BY_OTHERS = 0o022

/** That the directory is there, is ours, and holds nothing of another mode. Nothing is made. */
export function dataDirectoryCheck({ dataDir, mode }: Pick<Config, 'dataDir' | 'mode'>): Check {
  return {
    name: 'data-directory',
    group: 'machine',
    advice: 'name a directory that this user may write in TOLLBOOK_DATA_DIR',
    async run() {
      const path = resolve(dataDir)
      if (!existsSync(path)) return judgeParent(path)
      refuseHalfRestored(dataDir)
      refusePlayFiles({ dataDir, mode })
      refuseNoAccess(path)
      const stats = statSync(path)
      if (!stats.isDirectory()) return failure(`${path} is a file`, 'name a directory in TOLLBOOK_DATA_DIR')
      return judgeOwner(path, stats)
    },
  }
}

function judgeParent(path: string): Finding {
  let above = dirname(path)
  while (!existsSync(above) && above !== dirname(above)) above = dirname(above)
  refuseNoAccess(above)
  return ok(`${path} is not there yet: the first start makes it`)
}

function refuseNoAccess(path: string): void {
  try {
    accessSync(path, R_OK | W_OK | X_OK)
  } catch (error) {
    throw explainFileFault(path, error) ?? error
  }
}

function judgeOwner(path: string, { mode, uid }: Stats): Finding {
  const self = process.getuid?.()
  if (self !== undefined && (mode & WRITABLE_BY_OTHERS) !== 0)
    return failure(`others may write ${path} (${octal(mode)})`, `chmod go-w ${path}`)
  if (self !== undefined && uid !== self)
    return warning(
      `${path} belongs to user ${uid}, and you are user ${self}`,
      'run this command as the user that the service runs as: what it may read and write is what counts',
    )
  return ok(`${path}, writable${self === undefined ? '' : `, ${octal(mode)}`}`)
}

const octal = (mode: number) => `0${(mode & 0o777).toString(8)}`
