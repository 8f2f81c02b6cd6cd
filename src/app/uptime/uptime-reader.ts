import { describeError } from '../../core/describe-error.ts'
import type { Log } from '../../core/log.ts'
import type { Clock } from '../../core/time/clock.ts'
import { DAY_MS, MINUTE_MS } from '../../core/time/time.ts'
import type { KeptUptime, UptimeBook } from '../../ledger/ports/uptime-book.ts'
import { UPTIME_DAYS, type UptimeReport } from '../../products/service/services.ts'
import { SERVICE_PART } from './not-running.ts'
import { createShownUptime } from './shown-uptime.ts'
import type { UptimeKeeper } from './uptime-keeper.ts'

type Ports = { clock: Clock; log: Pick<Log, 'warn'>; book: Pick<UptimeBook, 'load'> }

/** What another process measured, read from the ledger once a minute. */
export function createUptimeReader({ clock, log, book }: Ports): UptimeKeeper {
  const today = () => Math.floor(clock.now() / DAY_MS)
  let report = toReport({ life: undefined, days: [], incidents: [] }, today())
  let cancel = () => {}
  const read = async () => {
    try {
      report = toReport(await book.load(today() - UPTIME_DAYS + 1), today())
    } catch (error) {
      log.warn({ cause: describeError(error) }, 'uptime cannot be read')
    }
  }
  return {
    report: () => report,
    async start() {
      cancel = clock.every(MINUTE_MS, () => void read())
      await read()
    },
    stop: async () => cancel(),
  }
}

function toReport({ life, days, incidents }: KeptUptime, today: number): UptimeReport {
  const shown = createShownUptime()
  days.forEach(shown.add)
  for (const each of incidents.toReversed()) shown.put(each)
  const newest = days.reduce((day, each) => Math.max(day, each.day), 0)
  const parts = new Set(days.filter(({ day }) => day === newest).map(({ part }) => part))
  // As whoever measures them shows them: the service first.
  const first = parts.delete(SERVICE_PART) ? [SERVICE_PART] : []
  return shown.report({ parts: [...first, ...parts], today, measuredMs: life?.atMs })
}
