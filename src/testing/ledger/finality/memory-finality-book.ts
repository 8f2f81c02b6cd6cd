import { parseAtomic, type Usd } from '../../../core/money.ts'
import {
  type FinalityBook,
  type FinalityOverview,
  type Finding,
  type Mark,
  type SettledPayment,
  UNDONE_LISTED,
  UNDONE_STATES,
  type UndonePayment,
  type UndoneState,
} from '../../../ledger/ports/finality-book.ts'
import type { Commit } from '../commit.ts'
import type { MemoryRow, MemoryRows } from '../memory-payment-rows.ts'

/** What would be on disk. */
export type MemoryFinality = {
  marks: Map<string, Mark>
  undone: Map<string, UndonePayment>
  /** Numbers of rows, in the order in which they came. */
  seqs: Map<string, number>
}
export const createMemoryFinality = (): MemoryFinality => ({
  marks: new Map(),
  undone: new Map(),
  seqs: new Map(),
})

export const isLostIn = (disk: MemoryFinality) => (key: string) => disk.undone.get(key)?.state === 'lost'

type Options = { disk: MemoryFinality; rows: MemoryRows; commit?: Commit }

export function createMemoryFinalityBook({
  disk,
  rows,
  commit = async (apply) => apply(),
}: Options): FinalityBook {
  const seqOf = (key: string) => {
    for (const each of rows.keys()) if (!disk.seqs.has(each)) disk.seqs.set(each, disk.seqs.size + 1)
    return disk.seqs.get(key) ?? 0
  }
  const settled = () =>
    [...rows.values()]
      .flatMap(toSettled)
      .sort((a, b) => a.settledAtMs - b.settledAtMs)
      .map((row) => ({ ...row, mark: { settledAtMs: row.settledAtMs, seq: seqOf(row.key) } }))
  return {
    mark: async (network) => disk.marks.get(network) ?? { settledAtMs: 0, seq: 0 },
    async settledAfter(network, mark, untilMs, limit) {
      const found = settled()
        .filter((row) => isBehind(row.mark, mark) && row.settledAtMs <= untilMs)
        .slice(0, limit)
      return { rows: found.filter((row) => row.network === network), readTo: found.at(-1)?.mark }
    },
    pass: (network, mark, findings) =>
      commit(() => {
        for (const finding of findings) keep(disk, rows, finding)
        disk.marks.set(network, mark)
      }),
    decide: (finding) => commit(() => decide(disk, finding)),
    async undecided({ unseenSinceMs, afterKey, limit }) {
      const all = [...disk.undone.values()].sort((a, b) => seqOf(a.key) - seqOf(b.key))
      const behind = afterKey === undefined ? 0 : (disk.seqs.get(afterKey) ?? 0)
      return all
        .filter(({ key }) => seqOf(key) > behind)
        .filter(
          ({ state, foundAtMs }) => state === 'open' || (state === 'unseen' && foundAtMs >= unseenSinceMs),
        )
        .slice(0, limit)
    },
    payersUndone: async (lostSinceMs) => payersUndone([...disk.undone.values()], lostSinceMs),
    overview: async () => overviewOf(disk),
  }
}

const isBehind = (a: Mark, b: Mark) =>
  a.settledAtMs > b.settledAtMs || (a.settledAtMs === b.settledAtMs && a.seq > b.seq)

function toSettled(row: MemoryRow): SettledPayment[] {
  const { key, payer, productId, network, amount, payment, claimedAtMs, transaction, settledAtMs } = row
  if (row.state !== 'settled' || transaction === undefined || settledAtMs === undefined) return []
  return [{ key, payer, productId, network, amount, payment, claimedAtMs, transaction, settledAtMs }]
}

const isDecided = (state: UndoneState) => state === 'paid' || state === 'lost'
const outcomeOf = ({ state, transaction, atMs }: Finding) => ({
  state,
  newTransaction: transaction,
  decidedAtMs: isDecided(state) ? atMs : undefined,
})

function keep({ undone }: MemoryFinality, rows: MemoryRows, finding: Finding): void {
  const row = rows.get(finding.key)
  const [settled] = row ? toSettled(row) : []
  if (!settled || undone.has(finding.key)) return
  undone.set(finding.key, { ...settled, foundAtMs: finding.atMs, ...outcomeOf(finding) })
}

function decide({ undone }: MemoryFinality, finding: Finding): boolean {
  const kept = undone.get(finding.key)
  if (!kept || isDecided(kept.state) || kept.state === finding.state) return false
  undone.set(finding.key, { ...kept, ...outcomeOf(finding) })
  return true
}

function payersUndone(undone: readonly UndonePayment[], lostSinceMs: number) {
  const payers = new Map<string, number | undefined>()
  for (const { payer, state, decidedAtMs = 0 } of undone) {
    if (state === 'open') payers.set(payer, undefined)
    const isRecent = state === 'lost' && decidedAtMs >= lostSinceMs
    if (isRecent && !(payers.has(payer) && payers.get(payer) === undefined))
      payers.set(payer, Math.max(payers.get(payer) ?? 0, decidedAtMs))
  }
  return [...payers].map(([payer, lostAtMs]) => ({ payer, lostAtMs }))
}

function overviewOf({ marks, undone, seqs }: MemoryFinality): FinalityOverview {
  const all = [...undone.values()]
  const sumOf = (state: UndoneState) => {
    const some = all.filter((each) => each.state === state)
    const revenue = some.reduce((sum, { amount }) => sum + parseAtomic(amount), 0n) as Usd
    return { count: some.length, revenue }
  }
  const seqOf = ({ key }: UndonePayment) => seqs.get(key) ?? 0
  return {
    marks: [...marks].map(([network, mark]) => ({ network, ...mark })).sort(byNetwork),
    undone: Object.fromEntries(
      UNDONE_STATES.map((state) => [state, sumOf(state)]),
    ) as FinalityOverview['undone'],
    newest: all.sort((a, b) => b.foundAtMs - a.foundAtMs || seqOf(b) - seqOf(a)).slice(0, UNDONE_LISTED),
  }
}

const byNetwork = (a: { network: string }, b: { network: string }) => (a.network < b.network ? -1 : 1)
