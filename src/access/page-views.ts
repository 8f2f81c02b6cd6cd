import { createHmac, randomBytes } from 'node:crypto'
import type { Clock } from '../core/time/clock.ts'
import { DAY_MS, MINUTE_MS } from '../core/time/time.ts'
import { ALL_PAGES, type PageViewLog } from '../ledger/ports/page-view-log.ts'
import type { PageViewCounter } from '../products/community/services.ts'

/** The row of addresses that are none of ours once there are too many of them, or that are no plain path. */
const OTHER_PAGES = '(other)'

const SALT_BYTES = 32
const HASH_CHARS = 16
/** Pairs of visitor and page of a day; visitors beyond are counted by their views only. */
const SEEN_MAX = 50_000
/** Pages of a day that are not ours, such as those of the operator's own site, with a row each. */
const FOREIGN_MAX = 200
/** Of these, as many may come up through one client: it must not use up the rows of all others. */
const FOREIGN_PER_CLIENT = 10
const PLAIN_PATH = /^\/[\w.~/-]{0,99}$/

type Day = {
  day: number
  salt: Buffer
  /** Hash of visitor and page → the minute of its last view. */
  seen: Map<string, number>
  foreign: Set<string>
  /** Hash of a visitor → the foreign pages that came up through him. */
  brought: Map<string, number>
}

type Ports = {
  clock: Clock
  log: Pick<PageViewLog, 'record'>
  /** Paths of ours: they always have a row. */
  own: ReadonlySet<string>
}

/**
 * Counts views per page and visitors per day. The salt lives in this process only: after the day, or a restart, nobody
 * can tell whether a visitor was here before. One view of a page per visitor and minute counts.
 */
export function createPageViewCounter({ clock, log, own }: Ports): PageViewCounter & { stop(): void } {
  let today: Day | undefined
  let cancel = () => {}
  const forget = () => {
    cancel()
    today = undefined
  }
  const open = (nowMs: number): Day => {
    const day = Math.floor(nowMs / DAY_MS)
    if (today?.day === day) return today
    forget()
    // Also where nobody comes any more.
    cancel = clock.after((day + 1) * DAY_MS - nowMs, forget)
    today = { day, salt: randomBytes(SALT_BYTES), seen: new Map(), foreign: new Set(), brought: new Map() }
    return today
  }
  return {
    count(client, given) {
      const nowMs = clock.now()
      const state = open(nowMs)
      const page = rowOf(given, client, state, own)
      const minute = Math.floor(nowMs / MINUTE_MS)
      const visit = notice(state, client, page, minute)
      if (visit === 'again') return
      const { day } = state
      log.record({ day, page, views: 1, visitors: visit === 'first' ? 1 : 0 })
      const isNew = notice(state, client, ALL_PAGES, minute) === 'first'
      log.record({ day, page: ALL_PAGES, views: 1, visitors: isNew ? 1 : 0 })
    },
    stop: forget,
  }
}

function rowOf(page: string, client: string, day: Day, own: ReadonlySet<string>): string {
  if (own.has(page)) return page
  if (!PLAIN_PATH.test(page)) return OTHER_PAGES
  const { foreign, brought } = day
  if (foreign.has(page)) return page
  if (foreign.size >= FOREIGN_MAX) return OTHER_PAGES
  const visitor = hashOf(day, client)
  const count = brought.get(visitor) ?? 0
  if (count >= FOREIGN_PER_CLIENT) return OTHER_PAGES
  brought.set(visitor, count + 1)
  foreign.add(page)
  return page
}

const hashOf = ({ salt }: Day, text: string) =>
  createHmac('sha256', salt).update(text).digest('base64url').slice(0, HASH_CHARS)

/** `again`: within the same minute. `more`: a view, and no new visitor as far as we can tell. */
function notice(day: Day, client: string, page: string, minute: number): 'first' | 'again' | 'more' {
  const { seen } = day
  const key = hashOf(day, `${client}\n${page}`)
  const last = seen.get(key)
  if (last === undefined && seen.size >= SEEN_MAX) return 'more'
  seen.set(key, minute)
  if (last === undefined) return 'first'
  return last === minute ? 'again' : 'more'
}
