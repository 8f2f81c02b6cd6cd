import { runSchedule, type ScheduleOptions, type ScheduleResult } from '../schedule.ts'

/** Distances in events between a first and a second crash: during the restart, just after it, in the next attempt. */
const SECOND_CRASH_AFTER = [2, 7, 23]

/** Every place where a crash can fall: each event of a base schedule, alone and followed by a second crash. */
export async function runCrashPoints(
  seed: number,
  options: ScheduleOptions = {},
): Promise<{ runs: number; events: number; failures: (ScheduleResult & { crashes: readonly number[] })[] }> {
  const failures: (ScheduleResult & { crashes: readonly number[] })[] = []
  const base = await runSchedule(seed, { ...options, crashAfterEvents: [] })
  let runs = 0
  for (let first = 1; first <= base.events; first++) {
    for (const crashes of [[first], ...SECOND_CRASH_AFTER.map((later) => [first, first + later])]) {
      const result = await runSchedule(seed, { ...options, crashAfterEvents: crashes })
      runs++
      if (result.violations.length > 0) failures.push({ ...result, crashes })
    }
  }
  return { runs, events: base.events, failures }
}
