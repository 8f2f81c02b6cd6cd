import { z } from 'zod'
import { free } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { ServiceError } from '../../core/service-error.ts'
import { shownText } from '../../core/shown-text.ts'
import { MINUTE_MS } from '../../core/time/time.ts'
import type { AccountHistory } from '../../feeds/prediction/account/account-history.ts'
import { fromMillionths } from '../../market/prediction/millionths.ts'
import {
  type MarketTrades,
  profitOf,
  resultOf,
  tradesByMarket,
  wholeAfterMs,
} from '../../market/prediction/trade-history.ts'
import type { Aged } from '../../upstreams/source.ts'
import { UpstreamError } from '../../upstreams/upstream.ts'
import { isoTime, Source, Timestamp, WindowEdge } from '../fields.ts'
import { signals } from '../signals/signals.ts'
import type { PredictionServices } from './services.ts'
import { shownTime } from './shown-number.ts'

export const HISTORY_SOURCE = 'polymarket_data'
const HISTORY_FRESH_MS = 5 * MINUTE_MS
const LIMIT = { max: 100, usual: 30 }
const TITLE_CHARS = 200
const NOTHING: AccountHistory = { rows: [], cutMs: undefined }

const Dollars = z.number().min(0).nullable()
const MarketRecord = z.object({
  slug: z.string(),
  title: z.string(),
  coin: z.string(),
  condition_id: z.string(),
  window_start: WindowEdge,
  window_end: WindowEdge,
  result: z
    .enum(['open', 'win', 'loss'])
    .describe(
      'open: the window has not ended, and all amounts and times are null until it has; win: something was collected; loss: ended, nothing collected',
    ),
  note: z.string().optional().describe('Why amounts are null; there only while the window is open'),
  cost_usd: Dollars.describe('Paid for shares that were bought, fees included'),
  collected_usd: Dollars.describe('Received for shares that were sold or redeemed'),
  split_usd: Dollars.describe('Dollars that became pairs of UP and DOWN; not part of the cost'),
  merged_usd: Dollars.describe('Pairs that became dollars again; not part of what was collected'),
  profit_usd: z.number().nullable().describe('collected_usd + merged_usd − cost_usd − split_usd'),
  fees_usd: Dollars.describe('Within cost and collected; null where a trade has no price'),
  fills: z.int().min(0).nullable().describe('Trades; an order may be filled in several'),
  shares_left: z
    .object({ up: z.number().min(0), down: z.number().min(0) })
    .nullable()
    .describe('Bought, split and not yet sold, merged or redeemed; null where a trade has no outcome'),
  first_at: z.iso.datetime().nullable(),
  last_at: z.iso.datetime().nullable(),
})

export const tradeHistory = defineEndpoint({
  id: 'predmkt.history',
  method: 'GET',
  path: '/api/predmkt/history',
  access: free,
  summary: 'What the operator’s own account traded in five-minute markets, with result and profit',
  description:
    'Trades of the operator’s account grouped by five-minute market, newest window first: cost of what was bought, what was collected by selling and redeeming, result (open, win or loss), profit, fees and shares left. Of a window that is open only the market is told. Splits and merges are shown apart and count in the profit only. An empty list says why in note. Of an account that did more than is kept, only windows of which everything is known are shown.',
  params: z.object({
    limit: z.int().min(1).max(LIMIT.max).default(LIMIT.usual).describe('At most so many markets'),
  }),
  sample: {},
  response: z.object({
    timestamp: Timestamp,
    source: Source,
    count: z.int().min(0),
    total: z.int().min(0).describe('Markets that were traded, before limit'),
    truncated: z.boolean().describe('True where older markets are left out; note says up to when'),
    note: z.string().optional().describe('Why the list is empty or truncated; there only while it is'),
    markets: z.array(MarketRecord),
  }),
  handle: async (services: PredictionServices, { limit }) => {
    const { value, asOfMs } = await readActivity(services)
    const all = groupsOf(value)
    // Of the time of the rows: a window that has closed since may have been won, and they would not know.
    const markets = all.slice(0, limit).map((trades) => toRecord(trades, asOfMs))
    const note = noteOf(services, value, all.length)
    return {
      timestamp: isoTime(asOfMs),
      source: services.sourceOf(HISTORY_SOURCE),
      count: markets.length,
      total: all.length,
      truncated: value.cutMs !== undefined,
      ...(note !== undefined && { note }),
      markets,
    }
  },
})

async function readActivity({ account, clock }: PredictionServices): Promise<Aged<AccountHistory>> {
  if (!account) return { value: NOTHING, asOfMs: clock.now() }
  try {
    const activity = await account.activity()
    if (clock.now() - activity.asOfMs <= HISTORY_FRESH_MS) return activity
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
  }
  throw new ServiceError('upstream_unavailable', 'the account cannot be read right now')
}

/** Rows are grouped once for each read, however often they are asked for: this costs nothing to call. */
const grouped = new WeakMap<AccountHistory, readonly MarketTrades[]>()
function groupsOf(history: AccountHistory): readonly MarketTrades[] {
  const known = grouped.get(history) ?? wholeOf(history)
  grouped.set(history, known)
  return known
}

/** A market of which some rows are not kept would be shown with wrong sums. */
function wholeOf({ rows, cutMs }: AccountHistory): readonly MarketTrades[] {
  const afterMs = cutMs === undefined ? Number.NEGATIVE_INFINITY : wholeAfterMs(cutMs)
  return tradesByMarket(rows).filter(({ windowStartS }) => windowStartS * 1000 > afterMs)
}

function noteOf({ account }: PredictionServices, { cutMs }: AccountHistory, shown: number) {
  if (!account) return 'no trading account is configured'
  if (cutMs !== undefined) {
    const after = shownTime(wholeAfterMs(cutMs))
    return `the account did more than is kept: ${after ? `windows that opened up to ${after}` : 'all'} are left out`
  }
  return shown === 0 ? 'the account has not traded five-minute markets' : undefined
}

const OPEN_NOTE = `what the bot holds in the open window is what ${signals.path} sells: amounts follow once it has closed`
const NOT_TOLD = {
  ...{ cost_usd: null, collected_usd: null, split_usd: null, merged_usd: null, profit_usd: null },
  ...{ fees_usd: null, fills: null, shares_left: null, first_at: null, last_at: null },
}

function toRecord(trades: MarketTrades, asOfMs: number): z.input<typeof MarketRecord> {
  const result = resultOf(trades, asOfMs)
  return {
    slug: trades.slug,
    title: shownText(trades.title, TITLE_CHARS),
    coin: trades.coin,
    condition_id: trades.conditionId,
    window_start: trades.windowStartS,
    window_end: trades.windowEndS,
    result,
    ...(result === 'open' ? { note: OPEN_NOTE, ...NOT_TOLD } : toAmounts(trades)),
  }
}

function toAmounts(trades: MarketTrades) {
  const { sharesLeft, fees } = trades
  return {
    cost_usd: fromMillionths(trades.cost),
    collected_usd: fromMillionths(trades.collected),
    split_usd: fromMillionths(trades.split),
    merged_usd: fromMillionths(trades.merged),
    profit_usd: fromMillionths(profitOf(trades)),
    fees_usd: fees === undefined ? null : fromMillionths(fees),
    fills: trades.fills,
    shares_left: sharesLeft
      ? { up: fromMillionths(sharesLeft.up), down: fromMillionths(sharesLeft.down) }
      : null,
    first_at: shownTime(trades.firstMs),
    last_at: shownTime(trades.lastMs),
  }
}
