import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { notePath } from '../../ledger/files/database-note.ts'
import { refuseHalfRestored } from '../../ledger/files/half-restored.ts'
import { readKeyFiles } from '../../ledger/files/key-files.ts'
import { ledgerPath } from '../../ledger/files/ledger-file.ts'
import { KEYS_FILE } from '../../sandbox/state-files.ts'

/**
 * Throws where a ledger was served from the directory without keys of play money: it is one of live mode, which play
 * money must not come near, or its keys are lost, and new ones would be paid in place of those that it is bound to.
 */
export function refuseDirectory(dataDir: string): void {
  refuseHalfRestored(dataDir)
  const keys = readKeyFiles(dataDir)
  if (keys.has(KEYS_FILE)) return
  const files = [ledgerPath(dataDir), notePath(dataDir)].filter((file) => existsSync(file))
  const names = [...files.map((file) => basename(file)), ...keys.keys()]
  if (names.length > 0)
    throw new Error(
      `${dataDir} holds a ledger (${names.join(', ')}) and no ${KEYS_FILE}: if it is of live mode, name another directory in TOLLBOOK_DATA_DIR; if not, put ${KEYS_FILE} back from a backup`,
    )
}
