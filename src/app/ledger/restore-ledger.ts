import { type Restored, type RestoreOptions, restoreDirectory } from '../../ledger/files/restore.ts'
import { backToSimMode } from './back-to-sim-mode.ts'

/** Puts a backup back, with a bot that trades on simulated money. `wasLive`: it did not when it was saved. */
export function restoreLedger(options: Omit<RestoreOptions, 'amend'>): Restored & { wasLive: boolean } {
  let wasLive = false
  const restored = restoreDirectory({
    ...options,
    amend(db) {
      wasLive = backToSimMode(db, 'restore', options.nowMs)
    },
  })
  return { ...restored, wasLive }
}
