import type { Log } from '../../core/log.ts'
import type { Clock } from '../../core/time/clock.ts'
import { WINDOW_S, windowAt } from '../../core/time/window.ts'
import { type Leaf, type MissedReason, openMs } from '../log/leaf.ts'
import { type RecordLog, stampMs } from '../log/record-log.ts'
import type { PendingCommit } from '../log/record-state.ts'
import type { Predict } from '../ports.ts'
import type { RecordReader } from '../record-reader.ts'
import { enterWindow, missedLeaf, missWindow } from './enter-window.ts'
import type { Random } from './sealed-prediction.ts'

type Ports = {
  clock: Clock
  log: Log
  predict: Predict
  random: Random
  record: RecordLog
  publish: RecordReader['publish']
}
export type Windows = {
  begin(): void
  nextDueMs(): number
  /** Enters windows that opened without an entry; they can no longer be committed to. */
  enterMissed(): Promise<void>
  /** Takes back commitments that were written too late, see `TAKE_BACK_MS`. */
  takeBackLate(): Promise<void>
  commitNext(): Promise<void>
  /** Windows that are due while the ledger cannot be written get the reason `store_unavailable`. */
  noteOutage(): void
}

/** A prediction is committed this long before its window opens. */
export const COMMIT_LEAD_MS = 3_000
/**
 * A commitment whose write ended after the window opened is taken back within this time, although it was signed before.
 * Later than that, a prediction could be taken back because it turned out wrong.
 */
export const TAKE_BACK_MS = 30_000
const MISSED_AT_ONCE = 1_000

/** Enters every window of every coin exactly once: as committed before it opens, or as missed. */
export function createWindows(ports: Ports): Windows {
  const { clock, log, record, publish } = ports
  const outages = new Set<number>()
  let late: PendingCommit[] = []
  let startedMs = 0
  let firstS = 0
  const nextS = () => {
    const { lastWindowS } = record.state
    return lastWindowS === undefined ? firstS : lastWindowS + WINDOW_S
  }
  const dueMs = (windowS: number) => windowS * 1000 - COMMIT_LEAD_MS
  const whyMissed = (windowS: number): MissedReason => {
    if (outages.has(windowS)) return 'store_unavailable'
    return startedMs <= dueMs(windowS) ? 'late' : 'not_running'
  }
  const takeBackLate = async () => {
    const atMs = stampMs(clock, record)
    const isOurs = (leaf: PendingCommit) =>
      record.state.pending.has(leaf.id) && atMs <= openMs(leaf) + TAKE_BACK_MS
    const leaves = late.filter(isOurs).map((leaf) => missedLeaf(leaf.coin, leaf.window_start, atMs, 'late'))
    if (leaves.length > 0) await record.append(leaves, atMs, { forget: leaves.map(({ id }) => id) })
    late = []
  }
  return {
    begin() {
      startedMs = clock.now()
      firstS = windowAt(startedMs + COMMIT_LEAD_MS).endS
    },
    nextDueMs: () => dueMs(nextS()),
    async enterMissed() {
      while (nextS() * 1000 <= stampMs(clock, record)) {
        const atMs = stampMs(clock, record)
        const leaves: Leaf[] = []
        for (
          let windowS = nextS();
          windowS * 1000 <= atMs && leaves.length < MISSED_AT_ONCE;
          windowS += WINDOW_S
        )
          leaves.push(...missWindow(windowS, atMs, whyMissed(windowS)))
        await record.append(leaves, atMs)
      }
      outages.clear()
    },
    takeBackLate,
    async commitNext() {
      const windowS = nextS()
      if (clock.now() < dueMs(windowS)) return
      const atMs = stampMs(clock, record)
      const { leaves, keep } = enterWindow(ports, windowS, atMs)
      const head = await record.append(leaves, atMs, { keep })
      const lateMs = clock.now() - windowS * 1000
      const commits = keep.flatMap(({ id }) => record.state.pending.get(id) ?? [])
      if (lateMs < 0) return publish(head, commits)
      log.warn({ windowS, lateMs }, 'a prediction was written too late and is taken back')
      late = commits
      await takeBackLate()
    },
    noteOutage() {
      for (let windowS = nextS(); dueMs(windowS) <= clock.now(); windowS += WINDOW_S) outages.add(windowS)
    },
  }
}
