import { type MadeKey, makeKey, revokeKey, rotateKey } from '../../access/change-keys.ts'
import { ENVIRONMENT, KEY_SCOPES } from '../../access/operator-keys.ts'
import { useLedger } from '../../app/ledger/use-ledger.ts'
import { loadConfig } from '../../config/config.ts'
import { systemClock } from '../../core/time/clock.ts'
import type { OperatorBook } from '../../ledger/ports/operator-book.ts'
import { runCommand } from '../terminal/run-command.ts'
import { tellAudit } from './audit-lines.ts'
import { listKeys, tellMade, tellRevoked } from './key-lines.ts'
import { DEFAULT_GRACE, DEFAULT_LAST, type KeysTask, parseKeysTask } from './keys-task.ts'

const HELP = `usage: tollbook keys make --label <name> --scope <scope> [--scope <scope>]
       tollbook keys list
       tollbook keys rotate <id> [--grace <time>]
       tollbook keys revoke <id>
       tollbook keys audit [--key <id>] [--last <n>] [--json]

The keys of the operator's API, sent as Authorization: Bearer. Scopes: ${KEY_SCOPES.join(' (/admin, /analytics) and ')} (/trade).
The service may be running: it takes a change within two seconds.

  make    prints a new key, this once: only its hash is kept
  list    id, label, scopes, when made, last used and revoked; never the key
  rotate  prints a successor with the same label and scopes; the old key goes on working for --grace,
          such as 30m, 1h (${DEFAULT_GRACE} where it is left out), 2d or 0s
  revoke  ends a key now
  audit   the newest calls of the operator's API, newest first: ${DEFAULT_LAST}, or --last; --key takes those of one key
          (${ENVIRONMENT}: those of TOLLBOOK_OPERATOR_KEY), --json prints one object a line

TOLLBOOK_OPERATOR_KEY is a key with both scopes: it is changed in the environment, with a new start.
`

export async function run(args: string[]): Promise<void> {
  await runCommand(HELP, parseKeysTask(args), keys)
}

async function keys(task: KeysTask): Promise<void> {
  const config = loadConfig()
  await useLedger({ config, clock: systemClock }, ({ operator: book }) =>
    act(task, book, config.operatorKey !== undefined),
  )
}

async function act(task: KeysTask, book: OperatorBook, hasEnvironmentKey: boolean): Promise<void> {
  const nowMs = systemClock.now()
  switch (task.kind) {
    case 'make':
      return print(await makeKey(book, task, nowMs))
    case 'rotate':
      return print(await rotateKey(book, task, nowMs), task.id)
    case 'revoke':
      return void process.stdout.write(tellRevoked(await revokeKey(book, task.id, nowMs), nowMs))
    case 'list':
      return void process.stdout.write(listKeys(await book.keys(), nowMs, hasEnvironmentKey))
    case 'audit':
      return void process.stdout.write(await tellAudit(book, task))
  }
}

/** Alone on stdout, so that `KEY=$(./tollbook keys make …)` takes the key; what there is to say goes to stderr. */
function print(made: MadeKey & { revokedMs?: number }, oldId?: string): void {
  process.stderr.write(tellMade(made, oldId))
  process.stdout.write(`${made.key.reveal()}\n`)
}
