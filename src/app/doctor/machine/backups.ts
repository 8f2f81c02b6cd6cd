import type { Config } from '../../../config/config.ts'
import type { Clock } from '../../../core/time/clock.ts'
import { DAY_MS, HOUR_MS } from '../../../core/time/time.ts'
import { newestBackupMs } from '../../../ledger/files/kept-backups.ts'
import { type Check, ok, skipped, warning } from '../check.ts'

/** A backup of a week ago has none of a week's sales. */
const OLD_AFTER_MS = 7 * DAY_MS
const MAKE_ONE = 'make one with ./tollbook backup <file>, and keep it on another machine'

type Settings = Pick<Config, 'mode' | 'dataDir' | 'databaseUrl'>

/** The age of the newest backup that the service keeps itself. Those that were made elsewhere are not known here. */
export function backupsCheck({ mode, dataDir, databaseUrl }: Settings, clock: Clock): Check {
  return {
    name: 'backups',
    group: 'machine',
    advice: MAKE_ONE,
    async run() {
      if (databaseUrl) return skipped('dumps of a database are not known here', MAKE_ONE)
      const madeMs = newestBackupMs(dataDir)
      if (madeMs === undefined) {
        const none = 'none in the data directory'
        return mode === 'live'
          ? warning(`${none}, and any elsewhere is not known here`, MAKE_ONE)
          : skipped(none)
      }
      const ageMs = clock.now() - madeMs
      const what = `the newest in the data directory is ${toAge(ageMs)} old`
      return mode === 'live' && ageMs > OLD_AFTER_MS ? warning(what, MAKE_ONE) : ok(what)
    },
  }
}

/** Rounds down. */
const toAge = (ms: number) =>
  ms < 2 * DAY_MS ? `${Math.max(0, Math.floor(ms / HOUR_MS))} h` : `${Math.floor(ms / DAY_MS)} days`
