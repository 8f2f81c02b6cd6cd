/**
 * Restores a backup and ends its own process without warning at the given file operation, counted from 0. Prints how
 * many operations there were if it gets to the end.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { restoreDirectory } from '../../ledger/files/restore.ts'

const OPERATIONS = [
  'openSync',
  'writeFileSync',
  'fsyncSync',
  'renameSync',
  'linkSync',
  'mkdirSync',
  'rmSync',
] as const
const [dataDir = '', backup = '', at = ''] = process.argv.slice(2)
let done = 0
for (const name of OPERATIONS) {
  const real = fs[name] as (...args: unknown[]) => unknown
  Object.assign(fs, {
    [name]: (...args: unknown[]) => {
      if (done++ === Number(at)) process.kill(process.pid, 'SIGKILL')
      return real(...args)
    },
  })
}
syncBuiltinESMExports()
restoreDirectory({
  dataDir,
  backup,
  force: true,
  keysOnly: false,
  passphrase: undefined,
  mode: 'paper',
  nowMs: Date.now(),
})
process.stdout.write(String(done))
