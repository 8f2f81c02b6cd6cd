import { COINS, type Coin, mapCoins } from '../../core/coin.ts'
import { describeError, errorCode } from '../../core/describe-error.ts'
import { explainFileFault } from '../../core/file-fault.ts'
import type { Log } from '../../core/log.ts'
import { makeDirectory } from '../../core/make-directory.ts'
import type { Clock } from '../../core/time/clock.ts'
import { DAY_MS } from '../../core/time/time.ts'
import type { Market } from '../../market/market.ts'
import { dueMinutes } from './due-minutes.ts'
import { appendLines } from './files/append-lines.ts'
import { dayPath, findDays, forgetDays, packDays, readDay, sizeOfDays } from './files/day-files.ts'
import { createLineReader } from './files/read-lines.ts'
import { type KeptMinute, toLine } from './files/sample-line.ts'
import type { Samples } from './samples.ts'

/** Writes a line for every coin and minute, off any request. */
export type Recorder = {
  health(): RecorderHealth
  /** Writes what is due, unless that is under way. */
  turn(): Promise<void>
  /** Writes what is due for the last time, where anything was written. */
  stop(): Promise<void>
}

/** `fault`: the system's word for why nothing can be written; undefined when all is well. */
export type RecorderHealth = {
  days: number
  bytes: number
  newestMs: number | undefined
  fault: string | undefined
}

type Ports = {
  clock: Clock
  log: Pick<Log, 'warn' | 'info'>
  market: Pick<Market, 'candles'>
  samples: Pick<Samples, 'at'>
  folder: string
  /** Files of older days are deleted. */
  days: number
}

const TURN_EVERY_MS = 20_000

export function createRecorder({ clock, log, market, samples, folder, days }: Ports): Recorder {
  const written = mapCoins(() => 0)
  let isRead = false
  let tidiedDay = -1
  let size = { days: 0, bytes: 0 }
  let fault: string | undefined
  let turning: Promise<void> | undefined

  const work = async () => {
    const nowMs = clock.now()
    makeDirectory(folder)
    if (!isRead) Object.assign(written, await newestMinutes(folder))
    isRead = true
    const due = COINS.flatMap((coin) => dueMinutes({ market, samples, coin, nowMs, afterMs: written[coin] }))
    for (const [path, minutes] of groupByDay(folder, due)) {
      await appendLines(path, minutes.map(toLine))
      for (const { coin, openMs } of minutes) written[coin] = openMs
    }
    const day = Math.floor((nowMs - TIDY_AFTER_MS) / DAY_MS)
    if (day !== tidiedDay) {
      await forgetDays(folder, days, nowMs)
      await packDays(folder, nowMs)
      tidiedDay = day
    }
    if (due.length > 0) size = await sizeOfDays(folder)
  }
  const turn = () => {
    turning ??= attempt(work).finally(() => {
      turning = undefined
    })
    return turning
  }
  const attempt = async (task: () => Promise<void>) => {
    try {
      await task()
      if (fault !== undefined) log.info({ path: folder }, 'the history is written again')
      fault = undefined
    } catch (error) {
      // The next turn tries again with the same minutes: they are held for two hours.
      const cause = explainFileFault(folder, error)?.message ?? describeError(error)
      if (fault === undefined) log.warn({ path: folder, cause }, 'the history cannot be written')
      // Health is public: it names no path.
      fault = errorCode(error) ?? 'unexpected error'
    }
  }
  const stopTurns = clock.every(TURN_EVERY_MS, turn)
  return {
    turn,
    health: () => ({ ...size, newestMs: newestOf(written), fault }),
    async stop() {
      stopTurns()
      await turning
      // A service that stops within seconds of its start has seen nothing worth a file.
      if (isRead) await turn()
    },
  }
}

/** Days are packed an hour after their end; this is a little later. */
const TIDY_AFTER_MS = 3_700_000

function groupByDay(folder: string, minutes: readonly KeptMinute[]): Map<string, KeptMinute[]> {
  return Map.groupBy(
    minutes.toSorted((a, b) => a.openMs - b.openMs),
    ({ openMs }) => dayPath(folder, openMs),
  )
}

/** The newest minute of each coin in the files; two days are enough, since the market holds no more. */
async function newestMinutes(folder: string): Promise<Partial<Record<Coin, number>>> {
  const newest: Partial<Record<Coin, number>> = {}
  const { read } = createLineReader()
  for (const file of (await findDays(folder)).slice(-DAYS_READ))
    for (const { coin, openMs } of read(await readDay(file))) newest[coin] = openMs
  return newest
}
/** Of a day there may be two files. */
const DAYS_READ = 4

function newestOf(written: Record<Coin, number>): number | undefined {
  const newest = Math.max(...Object.values(written))
  return newest === 0 ? undefined : newest
}
