import { ServiceError } from '../../core/service-error.ts'
import type { RecordAnchor, RecordAppend, RecordBook, RecordHead } from '../../ledger/ports/record-book.ts'
import type { Commit } from './commit.ts'

export type MemoryRecordRows = {
  leaves: string[]
  byId: Map<string, number[]>
  heads: RecordHead[]
  secrets: Map<string, string>
  anchors: RecordAnchor[]
}

export const createMemoryRecordRows = (): MemoryRecordRows => ({
  leaves: [],
  byId: new Map(),
  heads: [],
  secrets: new Map(),
  anchors: [],
})

/** A record for simulations. A new one with the same `rows` is the record after a restart. */
export function createMemoryRecordBook(
  rows: MemoryRecordRows,
  commit: Commit = async (apply) => apply(),
): RecordBook {
  const { leaves, byId, heads, secrets, anchors } = rows
  return {
    size: async () => leaves.length,
    append: (entry) =>
      commit(() => {
        refuseUnfit(rows, entry)
        for (const { id, text } of entry.leaves) {
          byId.set(id, [...(byId.get(id) ?? []), leaves.length])
          leaves.push(text)
        }
        heads.push({ ...entry.head })
        for (const id of entry.forget) secrets.delete(id)
        for (const { id, text } of entry.keep) secrets.set(id, text)
      }),
    leaves: async (from, limit) => leaves.slice(from, from + limit),
    leavesOf: async (id) => (byId.get(id) ?? []).map((index) => ({ index, text: leaves[index] ?? '' })),
    newestHead: async () => heads.at(-1) && { ...(heads.at(-1) as RecordHead) },
    heads: async (above, upTo) => within(heads, above, upTo),
    secrets: async () => [...secrets].map(([id, text]) => ({ id, text })),
    addAnchor: (anchor) =>
      commit(() => {
        anchors.push({ ...anchor })
        anchors.sort((a, b) => a.treeSize - b.treeSize)
      }),
    newestAnchor: async () => anchors.at(-1) && { ...(anchors.at(-1) as RecordAnchor) },
    anchors: async (above, upTo) => within(anchors, above, upTo),
  }
}

/** By bisection: there are thousands of heads, and they are sorted. */
function within<T extends { treeSize: number }>(sorted: readonly T[], above: number, upTo: number): T[] {
  const after = (size: number) => {
    let [low, high] = [0, sorted.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((sorted[middle] as T).treeSize > size) high = middle
      else low = middle + 1
    }
    return low
  }
  return sorted.slice(after(above), after(upTo)).map((each) => ({ ...each }))
}

/** What the triggers of a database forbid. */
function refuseUnfit(
  { leaves, secrets }: MemoryRecordRows,
  { from, leaves: added, head, keep }: RecordAppend,
): void {
  const isEnd = from === leaves.length && added.length > 0 && head.treeSize === from + added.length
  if (!isEnd) throw unfit('a leaf goes to the end of the record, and a head covers all leaves')
  if (keep.some(({ id }) => secrets.has(id))) throw unfit('a secret is kept once')
}

const unfit = (message: string) => new ServiceError('store_unavailable', message)
