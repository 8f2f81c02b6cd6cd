import type { Config } from '../../config/config.ts'
import type { Log } from '../../core/log.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { Signer } from '../../ledger/files/find-signer.ts'
import type { Store } from '../../ledger/ports/store.ts'
import type { Leadership } from '../../ledger/postgres/leader/leadership.ts'
import type { ServiceKey } from '../../payments/receipts/service-key.ts'

export type LedgerInput = {
  config: Pick<Config, 'mode' | 'payTo' | 'dataDir' | 'databaseUrl' | 'role'>
  clock: Clock
  log: Log
}
export type OpenLedger = {
  store: Store
  /** Other processes may have it too. */
  isShared: boolean
  /** Undefined where nobody else can have the ledger, or where this process never leads. */
  leadership: Leadership | undefined
  /** Who must have signed; undefined where nobody has yet. */
  findSigner(): Promise<Signer | undefined>
  /** The key that signed last, or else the one that is to sign from now on. */
  openKey(): Promise<ServiceKey>
  close(): Promise<void>
}
