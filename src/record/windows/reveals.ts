import type { Log } from '../../core/log.ts'
import type { Clock } from '../../core/time/clock.ts'
import { HOUR_MS } from '../../core/time/time.ts'
import { closeMs, type RevealLeaf } from '../log/leaf.ts'
import { type RecordLog, stampMs } from '../log/record-log.ts'
import type { PendingCommit } from '../log/record-state.ts'
import type { OracleAt } from '../ports.ts'
import { pricesOf, revealLeaf } from './reveal-window.ts'
import { readSealed } from './sealed-prediction.ts'

type Ports = { clock: Clock; log: Log; oracle: OracleAt; record: RecordLog }
export type Reveals = {
  begin(): void
  nextDueMs(): number
  /** Resolves to true while some prices are still missing. */
  revealClosed(): Promise<boolean>
}

/** How long to wait for the oracle's prices after a window has closed, or after a start. */
export const REVEAL_WAIT_MS = 120_000
/** How far back the oracle's history goes; prices of older windows will not come. */
const ORACLE_MEMORY_MS = HOUR_MS
const REVEALS_AT_ONCE = 500

/** Reveals every commitment once its window has closed and both prices are known, or the wait is over. */
export function createReveals({ clock, log, oracle, record }: Ports): Reveals {
  let startedMs = 0
  const ask: OracleAt = (coin, atS) => {
    try {
      return oracle(coin, atS)
    } catch (err) {
      log.error({ err, coin, atS }, 'no oracle price for the record')
      return undefined
    }
  }
  const reveal = (commit: PendingCommit, atMs: number): RevealLeaf | undefined => {
    const prices = pricesOf(ask, commit)
    const nowMs = clock.now()
    const mayStillCome =
      nowMs < Math.max(closeMs(commit), startedMs) + REVEAL_WAIT_MS &&
      nowMs < closeMs(commit) + ORACLE_MEMORY_MS
    if (mayStillCome && !(prices.open && prices.close)) return undefined
    return revealLeaf(commit, readSealed(record.secrets.get(commit.id) ?? ''), prices, atMs)
  }
  const open = () => [...record.state.pending.values()].filter(({ id }) => record.secrets.has(id))
  return {
    begin() {
      startedMs = clock.now()
      const lost = [...record.state.pending.keys()].filter((id) => !record.secrets.has(id))
      if (lost.length > 0) log.error({ lost }, 'these commitments cannot be revealed: their salts are gone')
    },
    nextDueMs: () => Math.min(...open().map(closeMs)),
    async revealClosed() {
      const closed = open().filter((commit) => closeMs(commit) <= clock.now())
      const atMs = stampMs(clock, record)
      const leaves = closed.slice(0, REVEALS_AT_ONCE).flatMap((commit) => reveal(commit, atMs) ?? [])
      if (leaves.length > 0) await record.append(leaves, atMs, { forget: leaves.map(({ id }) => id) })
      return leaves.length < closed.length
    },
  }
}
