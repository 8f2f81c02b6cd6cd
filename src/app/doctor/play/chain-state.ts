import { accessSync, constants, existsSync } from 'node:fs'
import { join } from 'node:path'
import { explainFileFault } from '../../../core/file-fault.ts'
import { isServiceRunning } from '../../../ledger/files/service-lock.ts'
import { isStateReadable } from '../../../sandbox/chains/evm/anvil-state.ts'
import { isJournalReadable } from '../../../sandbox/chains/svm/journal.ts'
import { EVM_STATE_FILE, SVM_JOURNAL_FILE } from '../../../sandbox/state-files.ts'
import { type Check, ok, warning } from '../check.ts'

const READERS = [
  [EVM_STATE_FILE, isStateReadable],
  [SVM_JOURNAL_FILE, isJournalReadable],
] as const

/** That the chains go on where they stopped: a damaged state is set aside by the next start, and play money is gone. */
export function chainStateCheck(dataDir: string): Check {
  return {
    name: 'chain-state',
    group: 'play',
    advice: 'let the user of the service read and write the files of the data directory',
    async run() {
      // The chain writes its state while it runs: half of it would look damaged.
      if (isServiceRunning(dataDir)) return ok('in use by the running service')
      const files = READERS.map(([name, isReadable]) => ({ file: join(dataDir, name), isReadable }))
      const present = files.filter(({ file }) => existsSync(file))
      for (const { file } of present) refuseNoAccess(file)
      const damaged = present.filter(({ file, isReadable }) => !isReadable(file))
      if (damaged.length > 0)
        return warning(
          `damaged: ${damaged.map(({ file }) => file).join(', ')}`,
          'nothing has to be done: the next start sets it aside and the chain starts empty; play money on it is gone',
        )
      return ok(present.length === 0 ? 'there is none yet: the first start makes it' : 'readable')
    },
  }
}

function refuseNoAccess(file: string): void {
  try {
    accessSync(file, constants.R_OK | constants.W_OK)
  } catch (error) {
    throw explainFileFault(file, error) ?? error
  }
}
