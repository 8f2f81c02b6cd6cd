import { type Backoff, createBackoff } from '../../../core/time/backoff.ts'
import type { Clock } from '../../../core/time/clock.ts'
import type { PaymentRow } from '../../../ledger/ports/payment-book.ts'
import { ASK_AGAIN, ASKS_PER_ROUND } from './limits.ts'

/** When the chain is asked about each open payment: at once, then after pauses that grow. */
export type Turns = {
  /** Those whose turn has come, who waited longest first, at most `ASKS_PER_ROUND`. Rows that are not given are forgotten. */
  takeDue(rows: readonly PaymentRow[]): readonly PaymentRow[]
}

type Turn = { fromMs: number; pauses: Backoff }

/** Rows come at different times, and rounds gather them anyway. */
const inFull = () => 1

export function createTurns(clock: Clock): Turns {
  let turns = new Map<string, Turn>()
  return {
    takeDue(rows) {
      const nowMs = clock.now()
      const turnOf = ({ key }: PaymentRow) =>
        turns.get(key) ?? { fromMs: nowMs, pauses: createBackoff(ASK_AGAIN, inFull) }
      const known = rows.map((row) => ({ row, turn: turnOf(row) }))
      turns = new Map(known.map(({ row, turn }) => [row.key, turn]))
      const due = known
        .filter(({ turn }) => turn.fromMs <= nowMs)
        .sort((a, b) => a.turn.fromMs - b.turn.fromMs)
        .slice(0, ASKS_PER_ROUND)
      for (const { turn } of due) turn.fromMs = nowMs + turn.pauses.nextMs()
      return due.map(({ row }) => row)
    },
  }
}
