import { describeError } from '../../core/describe-error.ts'
import type { Log } from '../../core/log.ts'
import type { Clock } from '../../core/time/clock.ts'
import { DAY_MS, MINUTE_MS } from '../../core/time/time.ts'
import type { UptimeBook } from '../../ledger/ports/uptime-book.ts'
import { type HealthReport, UPTIME_DAYS, type UptimeReport } from '../../products/service/services.ts'
import { createSilence } from './silence.ts'
import { createStarting } from './starting.ts'
import { createUnsavedUptime } from './unsaved-uptime.ts'
import { createUptimeState } from './uptime-state.ts'

export type UptimeKeeper = {
  report(): UptimeReport
  /** From now on the service serves. */
  start(): Promise<void>
  /** Notes that it was meant to stop. */
  stop(): Promise<void>
}

type Ports = { clock: Clock; log: Log; book: UptimeBook; health(): Promise<HealthReport> }

/** Measures every part once a minute and keeps it. No request waits for that, and no failure of it stops the service. */
export function createUptimeKeeper({ clock, log, book, health }: Ports): UptimeKeeper {
  const unsaved = createUnsavedUptime(book)
  const state = createUptimeState(unsaved)
  const silence = createSilence(clock)
  let report = state.report(clock.now())
  let startedMs = clock.now()
  let isLoaded = false
  let isInTrouble = false
  let underWay: Promise<void> | undefined
  let cancel = () => {}

  const load = async () => {
    if (isLoaded) return
    state.takeOver(await book.load(Math.floor(startedMs / DAY_MS) - UPTIME_DAYS + 1), startedMs)
    isLoaded = true
  }
  const startingOf = createStarting()
  const measure = async () => {
    const atMs = clock.now()
    const { checks } = await health()
    state.note(checks, atMs, startingOf(checks, atMs - startedMs))
  }
  /** Before the ledger was read it may not be added to: that would be counted twice. */
  const save = async (isStop: boolean) => {
    if (isLoaded) await unsaved.save({ atMs: clock.now(), isStop })
  }
  const quietly = async (...steps: readonly (() => Promise<void>)[]) => {
    const faults: unknown[] = []
    for (const step of steps) await step().catch((error: unknown) => faults.push(error))
    if (faults.length > 0 && !isInTrouble)
      log.warn({ cause: describeError(faults[0]) }, 'uptime cannot be kept')
    isInTrouble = faults.length > 0
  }
  /** At each turn of the timer, also while a measurement is under way: whoever turns is alive. */
  const listen = () => {
    const silentMs = silence()
    if (silentMs > 0) state.noteSilence(silentMs, clock.now())
  }
  const tick = async () => {
    await quietly(load, measure, () => save(false))
    report = state.report(clock.now())
  }
  return {
    report: () => report,
    async start() {
      startedMs = clock.now()
      // Until here nothing was served: opening took its time.
      silence()
      const run = () => {
        underWay ??= tick().finally(() => {
          underWay = undefined
        })
        return underWay
      }
      cancel = clock.every(MINUTE_MS, () => {
        listen()
        void run()
      })
      await run()
    },
    async stop() {
      cancel()
      listen()
      await underWay
      await quietly(() => save(true))
    },
  }
}
