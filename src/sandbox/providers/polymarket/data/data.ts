import { atMsOf, type Deed, deedsOf, seqOf } from '../../../prediction/accounts/holdings.ts'
import type { TradingAccounts } from '../../../prediction/accounts/trading-accounts.ts'
import type { ProviderServer } from '../../provider-server.ts'
import { ok, type Read, readOnly } from '../../reply.ts'
import { type Cursors, createCursors } from './cursor.ts'
import { DataError, errorReply } from './data-error.ts'
import { POSITION_STATES, positionsOf } from './position-list.ts'
import { readChoice, readFlag, readLimit, readList, readUser, readWhole, requireUser } from './query.ts'
import { resolutionsOf, statusOf } from './resolution-rows.ts'
import { toActivityRow, toTradeRow } from './rows.ts'

const ACTIVITY_TYPES = [
  'TRADE',
  'SPLIT',
  'MERGE',
  'REDEEM',
  'REWARD',
  'CONVERSION',
  'MAKER_REBATE',
  'TAKER_REBATE',
  'MIGRATION',
] as const

/** The account data API, v2, of the simulated venue. */
export function createDataServer(accounts: TradingAccounts): ProviderServer {
  const { store } = accounts
  const cursors = createCursors()
  const marketOf = ({ trade, event }: Deed) =>
    store.markets.get(trade?.conditionId ?? event?.conditionId ?? '')
  const isBetween = (query: URLSearchParams) => {
    const [start, end] = [readWhole(query, 'start'), readWhole(query, 'end')]
    return (deed: Deed) => {
      const atS = Math.floor(atMsOf(deed) / 1000)
      return (start === undefined || atS >= start) && (end === undefined || atS <= end)
    }
  }
  const routes: Readonly<Record<string, (query: URLSearchParams) => unknown>> = {
    '/v2/activity'(query) {
      const type = readChoice(query, 'type', ACTIVITY_TYPES)
      const deeds = deedsOf(store, requireUser(query))
        .filter(isBetween(query))
        .filter(({ event }) => type === undefined || type === (event?.type ?? 'TRADE'))
      return toPage(cursors, 'activity', query, deeds, (deed) => toActivityRow(deed, marketOf(deed)))
    },
    '/v2/trades'(query) {
      const isTakerOnly = readFlag(query, 'taker_only', true)
      const side = readChoice(query, 'side', ['BUY', 'SELL'])
      const conditions = readList(query, 'condition')
      const deeds = deedsOf(store, readUser(query))
        .filter(isBetween(query))
        .filter(
          ({ trade }) =>
            trade !== undefined &&
            (!isTakerOnly || trade.role === 'TAKER') &&
            (side === undefined || trade.side === side) &&
            (conditions.length === 0 || conditions.includes(trade.conditionId)),
        )
      return toPage(cursors, 'trades', query, deeds, (deed) => toTradeRow(deed as TradeDeed, marketOf(deed)))
    },
    '/v2/positions'(query) {
      const rows = positionsOf(accounts, requireUser(query), readChoice(query, 'status', POSITION_STATES))
      return toOffsetPage(cursors, query, rows)
    },
    '/v2/value'(query) {
      const user = requireUser(query)
      const value = positionsOf(accounts, user, undefined).reduce((sum, row) => sum + row.current_value, 0)
      return { data: { proxy_wallet: user.toLowerCase(), value: Number(value.toFixed(4)) } }
    },
    '/v2/resolutions': (query) => ({ data: resolutionsOf(accounts, readList(query, 'condition')) }),
    '/v2/status': () => ({ data: statusOf(accounts) }),
  }
  const read: Read = (path, query) => {
    try {
      if (!Object.hasOwn(routes, path)) throw new DataError(404, 'not_found', 'no such endpoint')
      return ok(routes[path]?.(query))
    } catch (error) {
      return errorReply(error)
    }
  }
  return { rest: readOnly(read), socketAt: () => undefined, close() {} }
}

type TradeDeed = Parameters<typeof toTradeRow>[0]

/** Newest first. Rows that come later stand before the first page, so that no page changes. */
function toPage(
  cursors: Cursors,
  type: string,
  query: URLSearchParams,
  deeds: readonly Deed[],
  toRow: (deed: Deed) => unknown,
) {
  const limit = readLimit(query)
  const text = query.get('cursor')
  const place = text ? cursors.read(type, text) : undefined
  const rest = deeds.toReversed().filter((deed) => !place || isBehind(deed, place))
  const offset = readWhole(query, 'offset') ?? 0
  const page = rest.slice(offset, offset + limit)
  const last = page.at(-1)
  const hasMore = last !== undefined && rest.length > offset + limit
  return {
    data: page.map(toRow),
    pagination: {
      limit,
      offset,
      has_more: hasMore,
      next_cursor: hasMore ? cursors.write(type, { ts: atMsOf(last), sq: seqOf(last) }) : null,
    },
  }
}

const isBehind = (deed: Deed, { ts, sq }: { ts: number; sq: number }) =>
  atMsOf(deed) < ts || (atMsOf(deed) === ts && seqOf(deed) < sq)

/** Positions change while one pages through them; their cursor is a number of rows. */
function toOffsetPage(cursors: Cursors, query: URLSearchParams, rows: readonly unknown[]) {
  const limit = readLimit(query)
  const text = query.get('cursor')
  const offset = readWhole(query, 'offset') ?? 0
  const from = (text ? cursors.read('positions', text).sq : 0) + offset
  const next = from + limit
  const hasMore = limit > 0 && next < rows.length
  return {
    data: rows.slice(from, next),
    pagination: {
      limit,
      offset,
      has_more: hasMore,
      next_cursor: hasMore ? cursors.write('positions', { ts: 0, sq: next }) : null,
    },
  }
}
