import type { Turn, UnfinishedRow } from './ports/payment-book.ts'

/** When the chain is asked about each open payment, by key: at once, then after pauses that grow. */
export type Turns = Map<string, { fromMs: number; taken: number }>

/** Keys whose turn has come, who waited longest first. Rows that are not given are forgotten. */
export function takeTurns(
  turns: Turns,
  rows: readonly Pick<UnfinishedRow, 'key'>[],
  { nowMs, limit, pauses }: Turn,
): readonly string[] {
  const known = rows.map((row) => ({ row, turn: turns.get(row.key) ?? { fromMs: nowMs, taken: 0 } }))
  turns.clear()
  for (const { row, turn } of known) turns.set(row.key, turn)
  const due = known
    .filter(({ turn }) => turn.fromMs <= nowMs)
    .sort((a, b) => a.turn.fromMs - b.turn.fromMs)
    .slice(0, limit)
  for (const { turn } of due) {
    turn.fromMs = nowMs + Math.min(pauses.maxMs, pauses.firstMs * 2 ** turn.taken)
    turn.taken++
  }
  return due.map(({ row }) => row.key)
}
