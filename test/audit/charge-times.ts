import type { Counter } from '../buying/counter.ts'
import type { Transfer } from './chain-evidence.ts'
import type { LedgerRow } from './ledger-rows.ts'

type Input = {
  transfers: readonly Transfer[]
  rows: readonly LedgerRow[]
  counter: Pick<Counter, 'firstSeenMs' | 'denials'>
  /** When money moved, by transaction. */
  chargedAtMs: ReadonlyMap<string, number>
  /** Payments of buyers who stayed. */
  honest: ReadonlySet<string>
}
export type ChargeTimes = {
  /** From a charge until its reply could be fetched, of anybody. */
  longestToLedgerMs: number
  /** From a charge until somebody who kept asking had the reply. */
  longestToDeliveryMs: number
  /** Answers without goods to somebody who had been charged. */
  owed: number
}

/** How long those waited whose money had moved. */
export function measureChargeTimes({ transfers, rows, counter, chargedAtMs, honest }: Input): ChargeTimes {
  const settledAtMs = new Map(rows.map(({ id, settledAtMs }) => [id, settledAtMs]))
  const charged = new Map<string, number>()
  for (const { id, transaction } of transfers) {
    const atMs = chargedAtMs.get(transaction)
    if (atMs !== undefined) charged.set(id, atMs)
  }
  const longest = (ids: Iterable<string>, endOf: (id: string) => number | undefined) =>
    Math.max(0, ...[...ids].map((id) => (endOf(id) ?? 0) - (charged.get(id) ?? Number.POSITIVE_INFINITY)))
  return {
    longestToLedgerMs: longest(charged.keys(), (id) => settledAtMs.get(id)),
    longestToDeliveryMs: longest(honest, (id) => counter.firstSeenMs.get(id)),
    owed: counter.denials.filter(({ id, atMs }) => atMs > (charged.get(id) ?? Number.POSITIVE_INFINITY))
      .length,
  }
}
