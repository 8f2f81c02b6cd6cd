import { loadConfig } from '../../config/config.ts'
import { backupDirectory } from '../../ledger/files/backup.ts'
import { findSigner } from '../../ledger/files/find-signer.ts'
import { refuseHalfRestored } from '../../ledger/files/half-restored.ts'
import { ledgerPath, readLedger } from '../../ledger/files/ledger-file.ts'
import { findMoved } from '../../ledger/sqlite/moved-mark.ts'
import { readServiceKey } from '../../payments/receipts/service-key.ts'
import { findSandboxFiles, KEYS_FILE } from '../../sandbox/state-files.ts'
import { parseOptions } from '../terminal/parse-options.ts'
import { PASSPHRASE_HELP, readPassphrase } from '../terminal/passphrase.ts'
import { type Fault, runCommand } from '../terminal/run-command.ts'
import { backupDatabase, DATABASE_BACKUP_HELP } from './database-backup.ts'
import { describeLedger } from './ledger-lines.ts'

const HELP = `usage: tollbook backup <file> [--passphrase-file <file>]
       tollbook backup <file> --database <postgres://user@host:5432/database>

Copies the ledger and the keys of TOLLBOOK_DATA_DIR into one file that only you can read, checks the copy
and prints what is in it. The service may be running. An existing file is never overwritten.
${PASSPHRASE_HELP}
With a passphrase the keys are encrypted, the ledger is not. Without one the keys are in the clear: whoever
has the file can sign as this service. The chains of a sandbox are not copied.
${DATABASE_BACKUP_HELP}`

export async function run(args: string[]): Promise<void> {
  await runCommand(HELP, parse(args), backup)
}

type Options = { target: string; passphraseFile: string | undefined; database: string | undefined }

function parse(args: string[]): Options | 'help' | Fault {
  const options = { 'passphrase-file': { type: 'string' }, database: { type: 'string' } } as const
  return parseOptions(args, { options, allowPositionals: true }, ({ values, positionals }) => {
    const [target, ...more] = positionals
    if (target === undefined || more.length > 0) return { fault: 'name one file to write' }
    const { database, 'passphrase-file': passphraseFile } = values
    if (database !== undefined && passphraseFile !== undefined)
      return { fault: 'a backup of a database has no keys in it, so --passphrase-file is for nothing' }
    return { target, passphraseFile, database }
  })
}

async function backup({ target, passphraseFile, database }: Options): Promise<void> {
  const config = loadConfig()
  const { dataDir, databaseUrl } = config
  const url = database ?? databaseUrl?.reveal()
  if (url !== undefined) return backupDatabase({ url, target, dataDir })
  refuseHalfRestored(dataDir)
  refuseMoved(dataDir)
  const passphrase = readPassphrase(passphraseFile, config)
  const { keys, ...facts } = backupDirectory({ dataDir, target, passphrase })
  const chains = findSandboxFiles(dataDir).filter((name) => name !== KEYS_FILE)
  const lines = [
    `${target}: ${describeLedger(facts)}`,
    keys.length === 0
      ? 'NO KEYS are in it: there are none in the data directory, and a first start makes them'
      : `keys in it: ${keys.join(', ')}, ${passphrase ? 'encrypted with the passphrase: keep that elsewhere' : 'NOT ENCRYPTED: whoever has this file can sign as this service'}`,
    ...(chains.length > 0
      ? [
          `NOT in it: ${chains.join(', ')}. The chains of the sandbox start anew after a restore, with no money`,
        ]
      : []),
  ]
  process.stdout.write(`${[...lines, ...tellKeyFault(dataDir)].join('\n')}\n`)
}

/** What a database has sold since is not in the file: backups of it would go on for months and be worth nothing. */
function refuseMoved(dataDir: string): void {
  const file = ledgerPath(dataDir)
  const movedTo = readLedger(file, findMoved)
  if (movedTo !== undefined)
    throw new Error(
      `${file} was moved to ${movedTo}, which serves in its place: set DATABASE_URL or pass --database to back that up, and copy the keys of ${dataDir} as well`,
    )
}

/** A backup whose key is not the one that signed last starts nowhere. */
function tellKeyFault(dataDir: string): string[] {
  const signer = findSigner(ledgerPath(dataDir))
  const found = readServiceKey(dataDir)
  if (!signer || (!('fault' in found) && found.id === signer.keyId)) return []
  const fault = 'fault' in found ? found.fault : 'is another key'
  return [
    `THE KEY ${fault}: ${signer.signed} was signed with ${signer.keyId}. Put that key back and make another backup: a restored service does not start without it`,
  ]
}
