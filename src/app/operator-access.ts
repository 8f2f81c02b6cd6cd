import { join } from 'node:path'
import type { ClientKey } from '../access/client-key.ts'
import { newOperatorKey } from '../access/new-operator-key.ts'
import { createOperatorAudit } from '../access/operator-audit.ts'
import { createOperatorCheck } from '../access/operator-check.ts'
import { createOperatorKeys, KEY_SCOPES } from '../access/operator-keys.ts'
import type { Config } from '../config/config.ts'
import type { Log } from '../core/log.ts'
import { writePrivateFile } from '../core/private-file.ts'
import type { Secret } from '../core/secret.ts'
import type { Clock } from '../core/time/clock.ts'
import type { AccessChecks } from '../http/respond/responder.ts'
import type { OperatorBook } from '../ledger/ports/operator-book.ts'
import type { Store } from '../ledger/ports/store.ts'

type Parts = {
  config: Pick<Config, 'operatorKey'>
  clock: Clock
  log: Log
  clientKey: ClientKey
  book: OperatorBook
}

/** Who is the operator, and the audit of what they do. */
export function createOperatorAccess(parts: Parts): NonNullable<AccessChecks['operator']> {
  const { config, clock, log, clientKey, book } = parts
  const keys = createOperatorKeys({ clock, book, environmentKey: config.operatorKey })
  return {
    identify: createOperatorCheck({ clock, clientKey, keys }),
    audit: createOperatorAudit({ clock, log, book }),
  }
}

/** A key that the first start made, to be shown this once; the file keeps it for its owner. */
export type FirstKey = { key: Secret; file: string }

/** Not JSON, so that `$(cat …/operator-key)` is the key, and no key file: a backup needs only its hash in the ledger. */
const FILE = 'operator-key'

type FirstKeyParts = Pick<Parts, 'clock' | 'log'> & {
  config: Pick<Config, 'mode' | 'dataDir' | 'operatorKey'>
  store: Pick<Store, 'operator'>
}

/** In the sandbox nobody has to set anything up: where there is no key yet, one is made. */
export async function makeFirstKey({
  config,
  clock,
  log,
  store,
}: FirstKeyParts): Promise<FirstKey | undefined> {
  const { mode, dataDir, operatorKey } = config
  if (mode !== 'sandbox' || operatorKey || (await store.operator.keys()).length > 0) return undefined
  const { key, row } = newOperatorKey({ label: 'sandbox', scopes: KEY_SCOPES, nowMs: clock.now() })
  const file = join(dataDir, FILE)
  // Before its row: a start that ends in between makes another one the next time.
  writePrivateFile(file, `${key.reveal()}\n`)
  await store.operator.addKey(row)
  log.info({ id: row.id, file }, 'an operator key was made')
  return { key, file }
}
