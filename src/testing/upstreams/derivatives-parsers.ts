import type { z } from 'zod'
import {
  FundingHistoryReply as BinanceFundingHistory,
  OpenInterestReply as BinanceOpenInterest,
  OpenInterestHistoryReply as BinanceOpenInterestHistory,
  DayTickerReply,
  FundingInfoReply,
  PremiumIndexReply,
  readBinanceFrame,
} from '../../upstreams/binance-futures/wire.ts'
import {
  FundingHistoryReply as BybitFundingHistory,
  OpenInterestHistoryReply as BybitOpenInterestHistory,
  TickersReply as BybitTickers,
  readBybitFrame,
} from '../../upstreams/bybit/wire.ts'
import {
  ContextsReply,
  FundingHistoryReply as HyperliquidFundingHistory,
} from '../../upstreams/hyperliquid/wire.ts'
import {
  MarkPriceReply,
  FundingReply as OkxFunding,
  FundingHistoryReply as OkxFundingHistory,
  OpenInterestReply as OkxOpenInterest,
  OpenInterestHistoryReply as OkxOpenInterestHistory,
  TickersReply as OkxTickers,
  readOkxFrame,
} from '../../upstreams/okx/wire.ts'
import { parseWire } from '../../upstreams/wire/reply.ts'
import type { Parser } from './mutation-search.ts'

const reply =
  (schema: z.ZodType, wrap: (json: unknown) => unknown = (json) => json): Parser =>
  (json) =>
    parseWire(schema, wrap(json), 'reply')
const frame =
  (read: (text: string) => unknown): Parser =>
  (_, text) =>
    read(text)
/** A recording of several frames, one after the other. */
const frames =
  (read: (text: string) => unknown): Parser =>
  (json, text) =>
    // What is nested very deeply cannot be written again.
    Array.isArray(json) && !text.includes('[[[[')
      ? json.map((each) => read(JSON.stringify(each)))
      : read(text)
const field = (json: unknown, name: string): unknown =>
  typeof json === 'object' && json !== null ? (json as Record<string, unknown>)[name] : undefined

const okxFrame = (text: string) => readOkxFrame(text, () => 0.01)
/** A frame carries the rows of the reply that we read. */
const asOkxReply = (json: unknown) => ({ code: '0', data: field(json, 'data') })
const asBybitReply = (json: unknown) => ({ retCode: 0, result: { list: [field(json, 'data')] } })
/** The first contracts of the venue, in its own order. */
const asContexts = (json: unknown) => [
  { universe: ['BTC', 'ETH', 'ATOM', 'MATIC'].map((name) => ({ name })) },
  field(field(field(field(json, 'data'), 'ctxs'), '0'), '1'),
]

/** Recorded payloads that we read, by their path below the fixtures. */
export const PARSERS: Readonly<Record<string, Parser>> = {
  'recorded/binance/fapi_fundingRate.json': reply(BinanceFundingHistory),
  'recorded/binance/fapi_openInterest.json': reply(BinanceOpenInterest),
  'recorded/binance/fapi_ticker24hr.json': reply(DayTickerReply),
  'recorded/binance/fapi_ws_aggTrade.json': frame(readBinanceFrame),
  'recorded/binance/futures_data_openInterestHist.json': reply(BinanceOpenInterestHistory),
  'recorded/binance/ws_futures_messages.json': frames(readBinanceFrame),
  'recorded/bybit/v5_market_funding_history.json': reply(BybitFundingHistory),
  'recorded/bybit/v5_market_open_interest.json': reply(BybitOpenInterestHistory),
  'recorded/bybit/ws_all_liquidation.json': frames(readBybitFrame),
  'recorded/bybit/ws_linear_v5_messages.json': frames(readBybitFrame),
  'recorded/okx/http_get_mark_price.json': reply(MarkPriceReply),
  'recorded/okx/public_funding_rate_history.json': reply(OkxFundingHistory),
  'recorded/okx/ws_swap_v5_messages.json': frames(okxFrame),
  'recorded/hyperliquid/info_fundingHistory.json': reply(HyperliquidFundingHistory),
  'recorded/hyperliquid/ws_all_dexs_asset_ctxs.json': reply(ContextsReply, asContexts),
  'from-docs/binance_futures_liquidation_stream.json': frame(readBinanceFrame),
  'from-docs/binance_futures_mark_price_stream.json': frame(readBinanceFrame),
  'from-docs/nautilus_bybit_http_get_funding_history.json': reply(BybitFundingHistory),
  'from-docs/nautilus_bybit_ws_ticker_linear.json': reply(BybitTickers, asBybitReply),
  'from-docs/nautilus_hyperliquid_http_funding_history.json': reply(HyperliquidFundingHistory),
  'from-docs/nautilus_okx_http_get_funding_rate_history.json': reply(OkxFundingHistory),
  'from-docs/nautilus_okx_ws_funding_rate.json': reply(OkxFunding, asOkxReply),
}

/** Of our own making, in the format of the replies that nobody recorded. */
export const OWN_PARSERS: Readonly<Record<string, Parser>> = {
  'binance premiumIndex': reply(PremiumIndexReply),
  'binance openInterest': reply(BinanceOpenInterest),
  'binance ticker': reply(DayTickerReply),
  'binance fundingInfo': reply(FundingInfoReply),
  'binance fundingRate': reply(BinanceFundingHistory),
  'binance openInterestHist': reply(BinanceOpenInterestHistory),
  'binance frame': frame(readBinanceFrame),
  'bybit tickers': reply(BybitTickers),
  'bybit fundings': reply(BybitFundingHistory),
  'bybit openInterest': reply(BybitOpenInterestHistory),
  'bybit frame': frame(readBybitFrame),
  'okx fundings': reply(OkxFunding),
  'okx openInterest': reply(OkxOpenInterest),
  'okx mark prices': reply(MarkPriceReply),
  'okx tickers': reply(OkxTickers),
  'okx past fundings': reply(OkxFundingHistory),
  'okx past openInterest': reply(OkxOpenInterestHistory),
  'okx frame': frame(okxFrame),
  'hyperliquid contexts': reply(ContextsReply),
  'hyperliquid fundings': reply(HyperliquidFundingHistory),
}

const SPOT = 'spot: the price feeds read it'
const NOT_ASKED = 'we do not ask for it'
/** Recorded payloads that we do not read, and why. */
export const UNREAD: Readonly<Record<string, string>> = {
  'recorded/binance/fapi_aggTrades.json': NOT_ASKED,
  'recorded/binance/futures_data_globalLongShortAccountRatio.json': NOT_ASKED,
  'recorded/binance/futures_data_takerlongshortRatio.json': NOT_ASKED,
  'recorded/binance/http_spot_market_agg_trades.json': SPOT,
  'recorded/binance/http_spot_market_klines.json': SPOT,
  'recorded/binance/http_spot_market_trades.json': SPOT,
  'recorded/binance/spot_klines_1s.json': SPOT,
  'recorded/binance/ws_spot_messages.json': SPOT,
  'recorded/bybit/v5_market_account_ratio.json': NOT_ASKED,
  'recorded/bybit/ws_spot_v5_messages.json': SPOT,
  'recorded/okx/http_get_index_price.json': NOT_ASKED,
  'recorded/okx/http_get_trades.json': NOT_ASKED,
  'recorded/okx/ws_spot_v5_messages.json': SPOT,
  'recorded/hyperliquid/http_l2_book_btc.json': NOT_ASKED,
  'recorded/hyperliquid/http_meta_perp_sample.json': 'part of the reply with contexts',
  'recorded/hyperliquid/http_spot_clearinghouse_state.json': NOT_ASKED,
  'recorded/hyperliquid/info_allMids.json': NOT_ASKED,
  'recorded/hyperliquid/info_candleSnapshot.json': NOT_ASKED,
  'recorded/hyperliquid/info_clearinghouseState.json': NOT_ASKED,
  'recorded/hyperliquid/info_l2Book.json': NOT_ASKED,
  'recorded/hyperliquid/info_meta.json': 'part of the reply with contexts',
  'recorded/hyperliquid/info_userFills.json': NOT_ASKED,
  'recorded/hyperliquid/ws_allmids.json': NOT_ASKED,
  'recorded/hyperliquid/ws_book_data.json': NOT_ASKED,
  'recorded/hyperliquid/ws_messages_tardis.json': NOT_ASKED,
  'recorded/hyperliquid/ws_user_fill_liquidation.json': 'tells of the own account only',
  'from-docs/binance_futures_agg_trade_stream.json': NOT_ASKED,
  'from-docs/binance_futures_book_ticker_stream.json': NOT_ASKED,
  'from-docs/binance_futures_depth_update_stream.json': NOT_ASKED,
  'from-docs/binance_futures_kline_stream_closed.json': NOT_ASKED,
  'from-docs/binance_futures_ticker_stream.json': NOT_ASKED,
  'from-docs/nautilus_bybit_http_get_klines_linear.json': NOT_ASKED,
  'from-docs/nautilus_bybit_http_get_orderbook.json': NOT_ASKED,
  'from-docs/nautilus_bybit_http_get_trades_recent.json': NOT_ASKED,
  'from-docs/nautilus_bybit_ws_kline.json': NOT_ASKED,
  'from-docs/nautilus_bybit_ws_orderbook_delta.json': NOT_ASKED,
  'from-docs/nautilus_bybit_ws_orderbook_snapshot.json': NOT_ASKED,
  'from-docs/nautilus_bybit_ws_public_trade.json': NOT_ASKED,
  'from-docs/nautilus_hyperliquid_http_recent_trades_btc.json': NOT_ASKED,
  'from-docs/nautilus_okx_http_get_candlesticks.json': NOT_ASKED,
  'from-docs/nautilus_okx_http_get_order_book.json': NOT_ASKED,
  'from-docs/nautilus_okx_ws_books_snapshot.json': NOT_ASKED,
  'from-docs/nautilus_okx_ws_books_update.json': NOT_ASKED,
  'from-docs/nautilus_okx_ws_tickers.json': NOT_ASKED,
  'from-docs/nautilus_okx_ws_trades.json': NOT_ASKED,
}
