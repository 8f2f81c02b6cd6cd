import { admitLedger } from '../../app/ledger/admit-ledger.ts'
import { type KeyRotation, rotateKey, rotateSharedKey } from '../../app/rotate-key.ts'
import { type Config, loadConfig } from '../../config/config.ts'
import { systemClock } from '../../core/time/clock.ts'
import { ledgerPath } from '../../ledger/files/ledger-file.ts'
import { parseOptions } from '../terminal/parse-options.ts'
import { runCommand } from '../terminal/run-command.ts'

const HELP = `usage: tollbook rotate-key [--lost]

Replaces the key that signs offers, receipts and the record. Stop the service first, with DATABASE_URL all its
processes: copy the new key file to each of them afterwards.
The change becomes an entry of the record, signed by the old key and the new one; the next head is
signed by the new one. Receipts of the old key stay valid: the service goes on publishing its name.
The old key file is kept aside, readable by you only.

  --lost  the old key is missing or damaged and in no backup. Nothing can then show that the change
          is yours: everybody who checks the record is told "key replaced without the old key's word".
          That no earlier entry was changed is still proven.
`

export async function run(args: string[]): Promise<void> {
  const options = { lost: { type: 'boolean', default: false } } as const
  const parsed = parseOptions(args, { options }, ({ values }) => ({ isLost: values.lost }))
  await runCommand(HELP, parsed, rotate)
}

async function rotate({ isLost }: { isLost: boolean }): Promise<void> {
  const config = loadConfig()
  const { change, newKeyId, kept } = await replace(config, isLost)
  const entry =
    change &&
    `entry ${change.id} of the record, leaf ${change.tree_size}, signed by ${change.old_signature ? 'the old key and the new one' : 'the new key only'}`
  const lines = [
    change
      ? `the service key ${change.old_key_id} is replaced`
      : 'the change that was interrupted is finished',
    `the service key is now ${newKeyId}`,
    ...(entry ? [entry] : []),
    ...(kept ? [`the key file before it is kept as ${kept}`] : []),
    ...(config.databaseUrl
      ? [
          'copy service-key.json to the data directory of every other process, and restart it: one with the old key is refused',
        ]
      : []),
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
}

function replace(config: Config, isLost: boolean): Promise<KeyRotation> {
  const { databaseUrl, dataDir } = config
  if (databaseUrl) return rotateSharedKey({ config, clock: systemClock, isLost, url: databaseUrl.reveal() })
  const admit = admitLedger(config, ledgerPath(dataDir))
  return rotateKey({ config, clock: systemClock, isLost, admit })
}
