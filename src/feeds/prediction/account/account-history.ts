import type { Clock } from '../../../core/time/clock.ts'
import { HOUR_MS } from '../../../core/time/time.ts'
import type { Activity } from '../../../upstreams/polymarket/account-activity.ts'
import { mergeReads } from './merge-reads.ts'

/** What an account did, newest first. */
export type AccountHistory = {
  rows: readonly Activity[]
  /** At and before this moment rows are left out, because there are more than are kept; undefined: none are. */
  cutMs: number | undefined
}

/** The newest rows from a second on; not whole where there are older ones in that time. */
export type ReadActivity = (range: { startS?: number }) => Promise<{
  rows: readonly Activity[]
  isWhole: boolean
}>

type Options = { clock: Clock; read: ReadActivity; maxRows?: number }

/** About 60 MB at most, and two weeks of a bot that trades in every window of four coins. */
const MAX_ROWS = 50_000
/** The venue shows what happened on the chain some seconds later, and not always in order. */
const OVERLAP_MS = HOUR_MS
/** A row that comes later than that, or is taken back, is seen with the next read of everything. */
const READ_WHOLE_EVERY_MS = 6 * HOUR_MS

/** Reads all that an account did, and then what is new: what is known already is kept. */
export function createAccountHistory({ clock, read, maxRows = MAX_ROWS }: Options) {
  let kept: AccountHistory | undefined
  let wholeAtMs = 0
  return async (): Promise<AccountHistory> => {
    const nowMs = clock.now()
    const isDue = kept === undefined || nowMs - wholeAtMs >= READ_WHOLE_EVERY_MS
    const known = isDue ? undefined : kept
    const startS = known && findStartS(known, nowMs)
    const { rows, isWhole } = await read(startS === undefined ? {} : { startS })
    // What lies between what is known and a read that does not reach back to it is lost.
    const older = isWhole && known && startS !== undefined ? known : undefined
    kept = bound(older ? join(older, rows, startS ?? 0) : { rows, cutMs: cutOf(rows, isWhole) }, maxRows)
    if (isDue) wholeAtMs = nowMs
    return kept
  }
}

/** A row of the future must not hide the ones to come. */
function findStartS({ rows: [newest] }: AccountHistory, nowMs: number): number | undefined {
  return newest && Math.floor((Math.min(newest.atMs, nowMs) - OVERLAP_MS) / 1000)
}

function join({ rows, cutMs }: AccountHistory, more: readonly Activity[], startS: number): AccountHistory {
  const startMs = startS * 1000
  const overlap = rows.filter(({ atMs }) => atMs >= startMs)
  const before = rows.filter(({ atMs }) => atMs < startMs)
  return { rows: [...mergeReads([overlap, more]), ...before], cutMs }
}

const cutOf = (rows: readonly Activity[], isWhole: boolean) =>
  isWhole ? undefined : rows.reduce((oldest, { atMs }) => Math.min(oldest, atMs), Number.POSITIVE_INFINITY)

function bound({ rows, cutMs }: AccountHistory, maxRows: number): AccountHistory {
  const sorted = rows.toSorted((a, b) => b.atMs - a.atMs)
  const left = sorted[maxRows]
  return { rows: sorted.slice(0, maxRows), cutMs: left ? left.atMs : cutMs }
}
