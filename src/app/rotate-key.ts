import { existsSync } from 'node:fs'
import type { Config } from '../config/config.ts'
import { silentLog } from '../core/log.ts'
import type { Clock } from '../core/time/clock.ts'
import { findSigner, type Signer } from '../ledger/files/find-signer.ts'
import { ledgerPath } from '../ledger/files/ledger-file.ts'
import { holdServiceLock } from '../ledger/files/service-lock.ts'
import type { RecordBook } from '../ledger/ports/record-book.ts'
import type { Admit } from '../ledger/sqlite/database.ts'
import { openSqliteStore } from '../ledger/sqlite/store.ts'
import {
  finishKeyChange,
  type KeyFault,
  makeNextKey,
  readServiceKey,
  type ServiceKey,
} from '../payments/receipts/service-key.ts'
import type { OldKey } from '../record/log/key-change.ts'
import type { KeyLeaf } from '../record/log/leaf.ts'
import { createRecordLog, stampMs } from '../record/log/record-log.ts'
import { openLedger } from './ledger/open-ledger.ts'
import type { LedgerInput } from './ledger/opened-ledger.ts'
import { takeLead } from './ledger/take-lead.ts'

type Input = {
  config: Pick<Config, 'dataDir' | 'mode'>
  clock: Clock
  isLost: boolean
  /** Throws where the ledger is not this service's to write. */
  admit: Admit
}
export type KeyRotation = {
  /** Undefined where only a change that a crash had interrupted was finished. */
  change: KeyLeaf | undefined
  newKeyId: string
  /** Where the key file before is kept; null where there was none. */
  kept: string | null
}

/**
 * Replaces the service key of a stopped service. The record decides which key is in force: the new one is on disk before
 * the entry is written, and takes its place after. A crash in between is finished by the next start or rotation.
 */
export async function rotateKey({ config, clock, isLost, admit }: Input): Promise<KeyRotation> {
  const { dataDir, mode } = config
  const ledger = ledgerPath(dataDir)
  if (!existsSync(ledger)) throw new Error(`there is no ledger at ${ledger}: the first start makes the key`)
  const lock = holdServiceLock(dataDir)
  try {
    return await replaceKey({
      ...{ dataDir, mode, clock, isLost },
      findSigner: async () => findSigner(ledger),
      async useRecord(work) {
        const store = openSqliteStore(ledger, { clock, admit })
        return work(store.record).finally(() => store.close())
      },
    })
  } finally {
    lock.release()
  }
}

type Shared = { config: LedgerInput['config']; clock: Clock; isLost: boolean; url: string }

/**
 * The same for a ledger in a database: whoever leads must have stopped. Every other data directory then needs the new
 * key file.
 */
export async function rotateSharedKey({ config, clock, isLost, url }: Shared): Promise<KeyRotation> {
  const { dataDir, mode } = config
  const ledger = await openLedger({ config, clock, log: silentLog })
  try {
    if (ledger.leadership) await takeLead(ledger.leadership, url)
    return await replaceKey({
      ...{ dataDir, mode, clock, isLost, findSigner: ledger.findSigner },
      useRecord: (work) => work(ledger.store.record),
    })
  } finally {
    await ledger.close()
  }
}

type Replacing = Pick<Input, 'clock' | 'isLost'> & {
  dataDir: string
  mode: Config['mode']
  findSigner(): Promise<Signer | undefined>
  useRecord(work: (book: RecordBook) => Promise<KeyLeaf>): Promise<KeyLeaf>
}

async function replaceKey({ dataDir, mode, clock, isLost, ...ledger }: Replacing): Promise<KeyRotation> {
  const signer = await ledger.findSigner()
  const kept = finishKeyChange(dataDir, signer, clock.now())
  if (signer && kept !== undefined) return { change: undefined, newKeyId: signer.keyId, kept }
  const old = oldKey(dataDir, signer, isLost)
  const change = await ledger.useRecord(async (book) => {
    const record = createRecordLog({ book, mode, key: old })
    await record.catchUp()
    return record.changeKey(makeNextKey(dataDir), stampMs(clock, record))
  })
  const { new_key_id: newKeyId } = change
  return { change, newKeyId, kept: finishKeyChange(dataDir, await ledger.findSigner(), clock.now()) ?? null }
}

/** With `isLost` known by its name alone; refuses to call a key lost that is there. */
function oldKey(dataDir: string, signer: Signer | undefined, isLost: boolean): OldKey {
  const found = readServiceKey(dataDir)
  const isInForce = !('fault' in found) && (!signer || signer.keyId === found.id)
  if (isInForce && isLost)
    throw new Error(
      `the key in ${dataDir} is whole and in force: leave out --lost, so that it signs the change`,
    )
  if (isInForce) return found
  if (!signer) throw new Error(`nothing was signed yet with the key in ${dataDir}: remove its file and start`)
  if (isLost) return { id: signer.keyId }
  throw new Error(
    `${nameFault(found)} in ${dataDir}, and ${signer.signed} was signed with ${signer.keyId}: ${signer.isShared ? 'copy service-key.json from the data directory of another process, or from your copy of it' : 'put that key back from a backup (./tollbook restore <backup> --keys-only --force)'}, or pass --lost to go on without its word`,
  )
}

function nameFault(found: ServiceKey | KeyFault): string {
  return 'fault' in found ? `the service key ${found.fault}` : `there is another service key, ${found.id},`
}
