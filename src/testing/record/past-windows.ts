import { openLedger } from '../../app/ledger/open-ledger.ts'
import { readConfig } from '../../config/config.ts'
import { silentLog } from '../../core/log.ts'
import { systemClock } from '../../core/time/clock.ts'
import { WINDOW_S, windowAt } from '../../core/time/window.ts'
import { findSigner } from '../../ledger/files/find-signer.ts'
import { ledgerPath } from '../../ledger/files/ledger-file.ts'
import { openServiceKey } from '../../payments/receipts/service-key.ts'
import { createRecordWorld } from './record-world.ts'

/** Leaves a ledger as a service does that kept the record of the last `count` windows and has just stopped. */
export async function keepPastWindows(dataDir: string, count: number): Promise<void> {
  const config = readConfig({ TOLLBOOK_DATA_DIR: dataDir })
  const { store, close } = await openLedger({ config, log: silentLog, clock: systemClock })
  const nowMs = systemClock.now()
  const key = openServiceKey(dataDir, findSigner(ledgerPath(dataDir)), nowMs)
  const firstS = windowAt(nowMs).startS - count * WINDOW_S
  const world = createRecordWorld({ book: store.record, key, nowMs: firstS * 1000 - 60_000 })
  await world.keeper.start()
  await world.windows(count, firstS)
  await world.keeper.stop()
  await close()
}
