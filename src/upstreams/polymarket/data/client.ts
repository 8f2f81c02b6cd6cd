import { conditionIdPart, cursorPart, walletPart } from '../../rules/path-parts.ts'
import { type Upstream, UpstreamError } from '../../upstream.ts'
import type { Activity, ActivityKind, Position } from '../account-activity.ts'
import { type AccountTrade, ActivityReply, PositionsReply, TradesReply } from './account-wire.ts'
import { readFirstPages, readPages } from './read-pages.ts'
import { MAX_ROWS_PER_PAGE, type Resolution, ResolutionsReply, StatusReply, ValueReply } from './wire.ts'

/** 50,000 rows: two weeks of a bot that trades in every window of four coins. */
const MAX_PAGES = 50
const MAX_POSITION_PAGES = 20
/** A row is below 1.5 kB. */
const MAX_PAGE_BYTES = 4 * 1024 * 1024

/** In epoch seconds, both ends included. */
export type TimeRange = { startS?: number; endS?: number }
export type PositionStatus = 'OPEN' | 'REDEEMABLE' | 'REDEEMABLE_LOST' | 'MERGEABLE' | 'CLOSED'

/** What Polymarket publishes about accounts. */
export type PolyData = {
  /** What an account did, newest first. Not whole where that is more than is read: then the oldest rows are missing. */
  activity(
    wallet: string,
    query?: TimeRange & { type?: ActivityKind },
  ): Promise<{ rows: readonly Activity[]; isWhole: boolean }>
  /** Fills as taker only, or as maker, too: the venue leaves the latter out unless they are asked for. */
  trades(wallet: string, query: TimeRange & { takerOnly: boolean }): Promise<readonly AccountTrade[]>
  positions(wallet: string, status?: PositionStatus): Promise<readonly Position[]>
  value(wallet: string): Promise<{ wallet: string; valueUsd: number }>
  resolution(conditionId: string): Promise<Resolution | undefined>
  status(): Promise<{ computedAtMs: number; ageS: number | undefined; lagS: number }>
}

export function createPolyData({ ask }: Pick<Upstream, 'ask'>): PolyData {
  const page = (cursor: string | undefined) => ({
    limit: MAX_ROWS_PER_PAGE,
    cursor: cursor === undefined ? undefined : cursorPart(cursor),
  })
  const within = ({ startS, endS }: TimeRange) => ({ start: startS, end: endS })
  return {
    async activity(wallet, { type, ...range } = {}) {
      const query = { user: walletPart(wallet), type, ...within(range) }
      const { rows, isWhole } = await readFirstPages(MAX_PAGES, (cursor) =>
        ask({
          path: '/v2/activity',
          query: { ...query, ...page(cursor) },
          schema: ActivityReply,
          maxBytes: MAX_PAGE_BYTES,
        }),
      )
      if (!isWhole && !isNewestFirst(rows))
        throw new UpstreamError('malformed', 'more rows than are read, and not the newest first')
      return { rows: ownRows(rows, query.user), isWhole }
    },
    async trades(wallet, { takerOnly, ...range }) {
      const query = { user: walletPart(wallet), taker_only: takerOnly, ...within(range) }
      const rows = await readPages(MAX_PAGES, (cursor) =>
        ask({
          path: '/v2/trades',
          query: { ...query, ...page(cursor) },
          schema: TradesReply,
          maxBytes: MAX_PAGE_BYTES,
        }),
      )
      return ownRows(rows, query.user)
    },
    async positions(wallet, status = 'OPEN') {
      const query = { user: walletPart(wallet), status }
      const rows = await readPages(MAX_POSITION_PAGES, (cursor) =>
        ask({
          path: '/v2/positions',
          query: { ...query, ...page(cursor) },
          schema: PositionsReply,
          maxBytes: MAX_PAGE_BYTES,
        }),
      )
      return ownRows(rows, query.user)
    },
    async value(wallet) {
      const user = walletPart(wallet)
      const [value] = ownRows([await ask({ path: '/v2/value', query: { user }, schema: ValueReply })], user)
      return value
    },
    async resolution(conditionId) {
      const condition = conditionIdPart(conditionId)
      const rows = await ask({ path: '/v2/resolutions', query: { condition }, schema: ResolutionsReply })
      return rows.find((row) => row.conditionId === condition)
    },
    status: () => ask({ path: '/v2/status', schema: StatusReply }),
  }
}

/** Told by the ends: rows of one block may stand in any order. */
const isNewestFirst = (rows: readonly Activity[]): boolean => (rows[0]?.atMs ?? 0) >= (rows.at(-1)?.atMs ?? 0)

/** A row of another account would change our sums. */
function ownRows<Rows extends readonly { wallet: string }[]>(rows: Rows, wallet: string): Rows {
  if (rows.every((row) => row.wallet === wallet)) return rows
  throw new UpstreamError('malformed', 'rows of another account')
}
