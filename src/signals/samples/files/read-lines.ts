import type { Coin } from '../../../core/coin.ts'
import { HEADER, type KeptMinute, parseLine } from './sample-line.ts'

/** `damaged`: lines that were cut off or make no sense. `repeated`: minutes that were there before. */
export type LineCounts = { minutes: number; damaged: number; repeated: number }

/** Gives the minutes of files in the order of their days, each once. */
export function createLineReader(): {
  read(text: string): Generator<KeptMinute>
  readonly counts: Readonly<LineCounts>
} {
  const counts: LineCounts = { minutes: 0, damaged: 0, repeated: 0 }
  const newest = new Map<Coin, number>()
  return {
    counts,
    *read(text) {
      const lines = text.split('\n')
      // What follows the last line's end is empty, or a line that is being written or was cut off.
      if (lines.pop() !== '') counts.damaged++
      for (const line of lines) {
        if (line === HEADER) continue
        const minute = parseLine(line)
        if (!minute) counts.damaged++
        else if (minute.openMs <= (newest.get(minute.coin) ?? 0)) counts.repeated++
        else {
          newest.set(minute.coin, minute.openMs)
          counts.minutes++
          yield minute
        }
      }
    },
  }
}
