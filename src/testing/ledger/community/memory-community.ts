import { createPageViewTally } from '../../../ledger/page-view-tally.ts'
import {
  PAGE_VIEW_DAYS_KEPT,
  type PageViewLog,
  type PageViewSum,
} from '../../../ledger/ports/page-view-log.ts'
import {
  MESSAGES_KEPT,
  type MessageRow,
  REPEATED_MS,
  type WatercoolerBook,
} from '../../../ledger/ports/watercooler-book.ts'

export type MemoryCommunity = { lastId: number; messages: MessageRow[]; pageViews: PageViewSum[] }
export const createMemoryCommunity = (): MemoryCommunity => ({ lastId: 0, messages: [], pageViews: [] })

export function createMemoryWatercooler(disk: MemoryCommunity): WatercoolerBook {
  return {
    async add(row) {
      const isSame = (each: MessageRow) => each.author === row.author && each.message === row.message
      const first = disk.messages.findLast(
        (each) => isSame(each) && Math.abs(row.atMs - each.atMs) < REPEATED_MS,
      )
      if (first) return { row: first, isRepeated: true }
      disk.lastId++
      const added = { id: disk.lastId, ...row }
      disk.messages = [added, ...disk.messages].slice(0, MESSAGES_KEPT)
      return { row: added, isRepeated: false }
    },
    newest: async (limit) => disk.messages.slice(0, limit),
    async remove(id) {
      const found = disk.messages.find((each) => each.id === id)
      disk.messages = disk.messages.filter((each) => each !== found)
      return found
    },
  }
}

export function createMemoryPageViews(disk: MemoryCommunity): PageViewLog {
  return {
    record(sum) {
      const tally = createPageViewTally()
      for (const each of [...disk.pageViews, sum])
        if (each.day > sum.day - PAGE_VIEW_DAYS_KEPT) tally.add(each)
      disk.pageViews = tally.take()
    },
    perDay: async (sinceDay) =>
      disk.pageViews
        .filter(({ day }) => day >= sinceDay)
        .sort((a, b) => a.day - b.day || (a.page < b.page ? -1 : 1)),
  }
}
