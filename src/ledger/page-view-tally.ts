import type { PageViewSum } from './ports/page-view-log.ts'

/** Counts that wait to be saved; what is added beyond this many kinds is not counted. */
const KINDS_MAX = 4_096

/** Views that are not saved yet. */
export type PageViewTally = {
  add(sum: PageViewSum): void
  /** Returns everything and starts again empty. */
  take(): PageViewSum[]
}

export function createPageViewTally(): PageViewTally {
  let sums = new Map<string, PageViewSum>()
  return {
    add(sum) {
      const key = `${sum.day} ${sum.page}`
      const known = sums.get(key)
      if (!known && sums.size >= KINDS_MAX) return
      const { views = 0, visitors = 0 } = known ?? {}
      sums.set(key, { ...sum, views: views + sum.views, visitors: visitors + sum.visitors })
    },
    take() {
      const taken = [...sums.values()]
      sums = new Map()
      return taken
    },
  }
}
