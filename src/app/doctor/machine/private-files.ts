import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { countText } from '../../../core/count-text.ts'
import { type Check, failure, ok, skipped } from '../check.ts'

/** Keys, present and former, and what has payments or keys in it. */
const PRIVATE = /key|^ledger\.sqlite|^backup-|^prediction-accounts/
const OPEN_TO_OTHERS = 0o077
const FOLDERS = ['', 'backups']

/** Keys and ledger are made with 0600; a copy or a restore by hand may have opened them. */
export function privateFilesCheck(dataDir: string): Check {
  return {
    name: 'private-files',
    group: 'machine',
    advice: 'let only the user of the service read the files of the data directory: chmod 600',
    async run() {
      if (process.platform === 'win32') return skipped('permissions are not checked on Windows')
      const files = FOLDERS.flatMap((folder) => privateFiles(join(dataDir, folder)))
      const open = files.filter(({ mode }) => (mode & OPEN_TO_OTHERS) !== 0)
      if (open.length === 0)
        return ok(files.length === 0 ? 'none yet' : `${countText(files.length, 'file')}, open to nobody else`)
      return failure(
        `other users of this machine can read or write ${open.length === 1 ? 'a private file' : `${open.length} private files`}`,
        ...open.map(({ file, mode }) => `chmod 600 ${file} (it is 0${(mode & 0o777).toString(8)})`),
      )
    },
  }
}

function privateFiles(folder: string): { file: string; mode: number }[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => PRIVATE.test(name))
    .map((name) => join(folder, name))
    .flatMap((file) => {
      // One that a running service has just removed is no trouble.
      const stats = statSync(file, { throwIfNoEntry: false })
      return stats?.isFile() ? [{ file, mode: stats.mode }] : []
    })
    .sort((a, b) => (a.file < b.file ? -1 : 1))
}
