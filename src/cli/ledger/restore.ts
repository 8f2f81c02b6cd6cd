import { refusePlayFiles } from '../../app/ledger/play-files.ts'
import { refuseDatabase } from '../../app/ledger/refuse-database.ts'
import { restoreLedger } from '../../app/ledger/restore-ledger.ts'
import { loadConfig } from '../../config/config.ts'
import { systemClock } from '../../core/time/clock.ts'
import type { Restored } from '../../ledger/files/restore.ts'
import { parseOptions } from '../terminal/parse-options.ts'
import { PASSPHRASE_HELP, readPassphrase } from '../terminal/passphrase.ts'
import { type Fault, runCommand } from '../terminal/run-command.ts'
import { DATABASE_RESTORE_HELP, restoreDatabase } from './database-backup.ts'
import { describeLedger, LEFT_LIVE, ONE_LEDGER } from './ledger-lines.ts'

const HELP = `usage: tollbook restore <file> [--force] [--keys-only] [--passphrase-file <file>]
       tollbook restore <file> --database <postgres://user@host:5432/database>

Puts the ledger and the keys of a backup into TOLLBOOK_DATA_DIR. Stop the service first. A bot that traded
live goes back to simulated money.
  --force                   also where a ledger or other keys exist; they are kept under other names
  --keys-only               leaves the ledger as it is: for a key that was lost or damaged
${PASSPHRASE_HELP}${DATABASE_RESTORE_HELP}
${ONE_LEDGER}`

export async function run(args: string[]): Promise<void> {
  await runCommand(HELP, parse(args), restore)
}

type Options = {
  backup: string
  force: boolean
  keysOnly: boolean
  passphraseFile: string | undefined
  database: string | undefined
}

function parse(args: string[]): Options | 'help' | Fault {
  const options = {
    force: { type: 'boolean', default: false },
    'keys-only': { type: 'boolean', default: false },
    'passphrase-file': { type: 'string' },
    database: { type: 'string' },
  } as const
  return parseOptions(args, { options, allowPositionals: true }, ({ values, positionals }) => {
    const [backup, ...more] = positionals
    if (backup === undefined || more.length > 0) return { fault: 'name one backup to restore' }
    const { force, 'keys-only': keysOnly, 'passphrase-file': passphraseFile, database } = values
    if (database !== undefined && (force || keysOnly || passphraseFile !== undefined))
      return { fault: '--database goes with no other option' }
    return { backup, force, keysOnly, passphraseFile, database }
  })
}

async function restore({ backup, force, keysOnly, passphraseFile, database }: Options): Promise<void> {
  if (database !== undefined) return restoreDatabase({ url: database, dump: backup })
  const config = loadConfig()
  const { dataDir, mode } = config
  if (!keysOnly)
    refuseDatabase(
      config,
      '--database puts a backup of a database into an empty one; --keys-only restores the keys',
    )
  refusePlayFiles(config)
  const passphrase = readPassphrase(passphraseFile, config)
  const nowMs = systemClock.now()
  const restored = restoreLedger({ dataDir, backup, force, keysOnly, passphrase, mode, nowMs })
  const lines = keysOnly
    ? tellKeys(restored)
    : [
        tellLedger(restored, dataDir),
        ...tellKeys(restored),
        ...(restored.wasLive ? [LEFT_LIVE] : []),
        '',
        ONE_LEDGER.trim(),
      ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

function tellLedger({ identity, ...facts }: Restored, dataDir: string): string {
  const line = `restored to ${dataDir}: ${describeLedger({ ...facts, identity })}`
  return identity ? line : `${line}\nit names no mode: run ./tollbook adopt before you start`
}

const tellKeys = ({ keys, kept }: Restored): string[] => [
  keys
    ? `keys restored: ${keys.join(', ') || 'none were in the backup'}`
    : 'NO KEYS: this backup is of an earlier release. Put service-key.json (and sandbox-keys.json) there yourself, or the record cannot go on under its key',
  ...kept.map((file) => `what was there before is kept as ${file}`),
]
