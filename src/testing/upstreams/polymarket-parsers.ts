import { z } from 'zod'
import { Book } from '../../upstreams/polymarket/clob/book-wire.ts'
import {
  BalanceReply,
  PostOrderReply,
  UserTrade,
  UserTradesReply,
} from '../../upstreams/polymarket/clob/order-wire.ts'
import {
  ClobMarketReply,
  FeeRateReply,
  LastTradeReply,
  MarketInfoReply,
  MidpointReply,
  NegRiskReply,
  PriceReply,
  PricesHistoryReply,
  SpreadReply,
  TickSizeReply,
} from '../../upstreams/polymarket/clob/wire.ts'
import {
  ActivityReply,
  ActivityRow,
  PositionsReply,
  TradesReply,
} from '../../upstreams/polymarket/data/account-wire.ts'
import { ResolutionsReply, StatusReply, ValueReply } from '../../upstreams/polymarket/data/wire.ts'
import { readErrorBody } from '../../upstreams/polymarket/error-body.ts'
import { parseFiveMinuteMarket } from '../../upstreams/polymarket/gamma/five-minute-wire.ts'
import {
  EventReply,
  EventsReply,
  MarketsReply,
  SearchReply,
  TagsReply,
} from '../../upstreams/polymarket/gamma/wire.ts'
import { readUserFrame } from '../../upstreams/polymarket/socket/user-wire.ts'
import { readMarketFrame } from '../../upstreams/polymarket/socket/wire.ts'
import { CryptoPriceReply, GeoblockReply } from '../../upstreams/polymarket/web/wire.ts'
import { parseWire } from '../../upstreams/wire/reply.ts'
import type { Parser } from './mutation-search.ts'

/** What the adapters make of a reply, given as JSON and as text. Throws an `UpstreamError` or nothing. */

const reply =
  (schema: z.ZodType): Parser =>
  (json) =>
    parseWire(schema, json, 'reply')
const frame =
  (read: (text: string) => unknown): Parser =>
  (_, text) =>
    read(text)
/** A recording of several frames, one after the other. */
const frames =
  (read: (text: string) => unknown): Parser =>
  (json, text) =>
    Array.isArray(json) && !text.startsWith('[[')
      ? json.map((each) => read(JSON.stringify(each)))
      : read(text)
/** Bodies of refusals, each below `body` of its request. */
const refusals: Parser = (json) =>
  Object.values(json ?? {}).map((each: { body?: unknown } | null) => readErrorBody(each?.body))
/** Small replies, each below the request that it answers. */
const Misc = z.object({
  'GET /price?side=BUY': PriceReply,
  'GET /price?side=SELL': PriceReply,
  'GET /midpoint': MidpointReply,
  'GET /spread': SpreadReply,
  'GET /last-trade-price': LastTradeReply,
  'GET /tick-size': TickSizeReply,
  'GET /neg-risk': NegRiskReply,
  'GET /fee-rate': FeeRateReply,
})

const WINDOW = { coin: 'BTC', startS: 1_790_617_500 } as const
const Rows = z.array(ActivityRow)
const Markets = z
  .unknown()
  .transform((json) => (Array.isArray(json) ? json : [json]))
  .pipe(MarketsReply)

/** Every recorded payload, by its path below the fixtures, with the parser of the reply that it is. */
export const PARSERS: Readonly<Record<string, Parser>> = {
  'recorded/polymarket-gamma/event_by_slug_btc_updown_5m_resolved.json': (json) =>
    parseFiveMinuteMarket(json, WINDOW.coin, WINDOW.startS),
  'recorded/polymarket-gamma/gamma_event.json': reply(EventsReply),
  'recorded/polymarket-gamma/gamma_tags.json': reply(TagsReply),
  'recorded/polymarket-gamma/market_btc_updown_5m_2026-03_full.json': reply(Markets),
  'recorded/polymarket-gamma/py_http_event.json': reply(EventReply),
  'recorded/polymarket-gamma/py_http_market_slug.json': reply(Markets),
  'recorded/polymarket-gamma/search_response.json': reply(SearchReply),
  'recorded/polymarket-clob/book_btc_updown_5m.json': reply(Book),
  'recorded/polymarket-clob/clob_market_closed_binary_accepting_false.json': reply(ClobMarketReply),
  'recorded/polymarket-clob/clob_market_closed_binary_accepting_true.json': reply(ClobMarketReply),
  'recorded/polymarket-clob/market_by_condition_live_excerpt.json': reply(ClobMarketReply),
  'recorded/polymarket-clob/market_by_condition_resolved.json': reply(ClobMarketReply),
  'recorded/polymarket-clob/misc_btc_updown_5m.json': reply(Misc),
  'recorded/polymarket-clob/prices_history.json': reply(PricesHistoryReply),
  'recorded/polymarket-clob/py_http_market.json': reply(ClobMarketReply),
  'recorded/polymarket-clob/py_http_trades.json': reply(TradesReply),
  'recorded/polymarket-data/v1_activity.json': reply(ActivityReply),
  'recorded/polymarket-data/v1_positions.json': reply(PositionsReply),
  'recorded/polymarket-data/v2_activity.json': reply(ActivityReply),
  'recorded/polymarket-data/v2_activity_pysdk_rows.json': reply(Rows),
  'recorded/polymarket-data/v2_positions_open.json': reply(PositionsReply),
  'recorded/polymarket-data/v2_resolutions.json': reply(ResolutionsReply),
  'recorded/polymarket-data/v2_status.json': reply(StatusReply),
  'recorded/polymarket-data/v2_trades_feed_first_row.json': reply(TradesReply),
  'recorded/polymarket-data/v2_trades_taker_only.json': reply(TradesReply),
  'recorded/polymarket-data/v2_value.json': reply(ValueReply),
  'recorded/polymarket-data/errors.json': refusals,
  'recorded/polymarket-web/crypto_price.json': reply(CryptoPriceReply),
  'recorded/polymarket-ws/market_channel_messages_tardis.json': frames(readMarketFrame),
  'recorded/polymarket-ws/py_book.json': frame(readMarketFrame),
  'recorded/polymarket-ws/py_last_trade_price.json': frame(readMarketFrame),
  'recorded/polymarket-ws/py_order_cancel.json': frame(readUserFrame),
  'recorded/polymarket-ws/py_order_placement.json': frame(readUserFrame),
  'recorded/polymarket-ws/py_tick_size_change.json': frame(readMarketFrame),
  'recorded/polymarket-ws/py_trades.json': reply(UserTrade),
  'recorded/polymarket-ws/py_user_trade1.json': frame(readUserFrame),
  'recorded/polymarket-ws/py_user_trade2.json': frame(readUserFrame),
  'recorded/polymarket-ws/py_user_trade3.json': frame(readUserFrame),
  'recorded/polymarket-ws/py_user_trade4.json': frame(readUserFrame),
  'from-docs/nautilus_polymarket-ws_py_price_change_v2.json': frame(readMarketFrame),
  'from-docs/nautilus_polymarket-ws_ws_market_best_bid_ask_msg.json': frame(readMarketFrame),
  'from-docs/nautilus_polymarket-ws_ws_market_new_market_msg.json': frame(readMarketFrame),
  'from-docs/nautilus_polymarket-ws_ws_market_resolved_msg.json': frame(readMarketFrame),
  'from-docs/polymarket_balance_allowance.json': reply(BalanceReply),
  'from-docs/polymarket_clob_market_info.json': reply(MarketInfoReply),
  'from-docs/polymarket_crypto_price_twap.json': reply(CryptoPriceReply),
  'from-docs/polymarket_geoblock.json': reply(GeoblockReply),
  'from-docs/polymarket_order_errors.json': refusals,
  'from-docs/polymarket_order_response_v2.json': reply(PostOrderReply),
  'from-docs/polymarket_rs_post_order.json': reply(z.array(PostOrderReply)),
  'from-docs/polymarket_rs_post_orders.json': reply(z.array(PostOrderReply)),
  'from-docs/polymarket_rs_tick_size.json': reply(TickSizeReply),
  'from-docs/polymarket_rs_user_trades.json': reply(UserTradesReply),
  'from-docs/polymarket_v2_activity_redeem.json': reply(ActivityReply),
}
