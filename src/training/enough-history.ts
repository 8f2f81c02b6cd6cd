import { DAY_MS, MINUTE_MS } from '../core/time/time.ts'
import type { Rows } from './history/dataset.ts'
import { EMBARGO_MS } from './walk-forward.ts'

const WINDOW_MS = 300_000
/** A week of one coin. Fewer windows than that fit noise, and none at all gives no numbers. */
const WINDOWS_NEEDED = (7 * DAY_MS) / WINDOW_MS

/** Throws where the first model of a walk-forward would have too little to be fitted to, and says what is there. */
export function requireEnoughHistory(dataset: readonly Rows[], fromMs: number): void {
  const judged = dataset.flatMap(({ endMs }) => endMs.find((ms) => ms - MINUTE_MS >= fromMs) ?? [])
  if (judged.length === 0)
    throw new Error(`${describe(dataset)}, nothing of it from --from ${dayOf(fromMs)} on`)
  const fitUntilMs = Math.min(...judged) - EMBARGO_MS
  const windows = dataset.reduce((sum, rows) => sum + windowsBefore(rows, fitUntilMs), 0)
  if (windows >= WINDOWS_NEEDED) return
  throw new Error(
    `${describe(dataset)}, ${windows} usable windows of it before --from ${dayOf(fromMs)}, and ${WINDOWS_NEEDED} are needed ` +
      '(a week of one coin, after a day to warm up and with a day between): add earlier candles, or give a later --from',
  )
}

function windowsBefore({ endMs, isUsable }: Rows, untilMs: number): number {
  let count = 0
  for (const [row, ms] of endMs.entries())
    if (isUsable[row] && ms % WINDOW_MS === 0 && ms + WINDOW_MS <= untilMs) count++
  return count
}

function describe(dataset: readonly Rows[]): string {
  const minutes = dataset.reduce((sum, { count }) => sum + count, 0)
  const ends = dataset.flatMap(({ endMs }) => [endMs[0] ?? 0, endMs.at(-1) ?? 0])
  return `the history has ${minutes} minutes from ${dayOf(Math.min(...ends))} to ${dayOf(Math.max(...ends))}`
}

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)
