import type { z } from 'zod'
import { LiquidationsReply, WhalesReply } from '../../upstreams/coinlobster/wire.ts'
import {
  BlocksReply,
  FeesReply,
  PricesReply,
  SizedReply,
  TransactionReply,
} from '../../upstreams/mempool/wire.ts'
import { EtfReply } from '../../upstreams/sosovalue/wire.ts'
import { parseWire } from '../../upstreams/wire/reply.ts'
import type { Parser } from './mutation-search.ts'

const reply =
  (schema: z.ZodType): Parser =>
  (json) =>
    parseWire(schema, json, 'reply')

/** By the file below the folder of recorded replies. */
export const PARSERS: Readonly<Record<string, Parser>> = {
  'recorded/coinlobster/whales.json': reply(WhalesReply),
  'from-docs/sosovalue_historicalInflowChart.json': reply(EtfReply),
  'from-docs/etf_sosovalue_historical_btc.json': reply(EtfReply),
  'from-docs/mempool/get-blocks.json': reply(BlocksReply),
  'from-docs/mempool/get-mempool-recent.json': reply(SizedReply),
  'from-docs/mempool/get-transaction.json': reply(TransactionReply),
  'from-docs/mempool/get-price.json': reply(PricesReply),
  'from-docs/mempool/get-recommended-fees.json': reply(FeesReply),
}

/** Replies of the same providers that nothing is made of, and why. */
export const UNREAD: Readonly<Record<string, string>> = {
  'from-docs/etf_etf_flows.json': 'the file of another program, not a reply',
  'from-docs/etf_sosovalue_metrics_btc.json': 'single funds are not told',
  'from-docs/mempool/get-address.json': 'no address is followed on its own',
  'from-docs/mempool/get-address-transactions.json': 'no address is followed on its own',
  'from-docs/mempool/get-address-utxo.json': 'no address is followed on its own',
  'from-docs/mempool/get-block-tip-height.json': 'the list of blocks has it',
  'from-docs/mempool/get-difficulty-adjustment.json': 'miners are not a subject',
  'from-docs/mempool/get-hashrate.json': 'miners are not a subject',
  'from-docs/mempool/get-historical-price.json': 'past prices come from the venues',
  'from-docs/mempool/get-mempool.json': 'fees say how full it is',
}

const TXID = '5e'.repeat(32)
const AT_S = 1_790_617_500
const end = (address: string, value: number) => ({ scriptpubkey_address: address, value })
const ADDRESS = 'bcrt1qexampleaddress0000000000'

const whale = {
  tradeId: '1790617500250-OKX',
  pair: 'BTC/USD',
  exchange: 'OKX',
  price: 100_000,
  quantity_base: 12.5,
  quantity_quote: 1_250_000,
  isBuy: true,
  timestamp: AT_S * 1000 + 250,
  marketConditions: { price: 100_000, fundingRates: { OKX: 0.0001 } },
}

/** Replies of our own in the same shapes, for those who do not have the recordings, and for those that nobody recorded. */
export const OWN: readonly { file: string; json: unknown; parse: Parser }[] = [
  {
    file: 'whales',
    parse: reply(WhalesReply),
    json: {
      success: true,
      whales: [
        whale,
        {
          ...whale,
          tradeId: 77,
          pair: 'ETH/USDT',
          price: '4000',
          quantity_base: '500',
          quantity_quote: '2000000',
        },
        { ...whale, tradeId: 'x', pair: 'PEPE/USD' },
        { ...whale, tradeId: 'y', exchange: 'Binance Futures', exchangeType: 'future', isBuy: false },
      ],
    },
  },
  {
    file: 'liquidations',
    parse: reply(LiquidationsReply),
    json: {
      success: true,
      available: true,
      as_of: '2026-09-28T17:05:00.000Z',
      stale: false,
      perp_liquidations: {
        window: '24h',
        count: 1_200,
        total_usd: 9_000_000,
        long_usd: 6_000_000,
        short_usd: 3_000_000,
        hourly: [{ t: AT_S * 1000, longUsd: 1, shortUsd: 2, count: 3 }],
        top_coins: [
          { base: 'BTC', usd: 5_000_000, count: 400, longUsd: 3_500_000, shortUsd: 1_500_000 },
          { base: 'XYZ', usd: 1_000_000, count: 40, longUsd: 500_000, shortUsd: 500_000 },
        ],
      },
    },
  },
  {
    file: 'etf',
    parse: reply(EtfReply),
    json: {
      code: 0,
      msg: null,
      data: [
        { date: '2026-09-25', totalNetInflow: -12_000_000.5, totalValueTraded: 2e9, totalNetAssets: 9e10 },
        { date: '2026-09-28', totalNetInflow: '34000000', cumNetInflow: 5e10 },
      ],
    },
  },
  {
    file: 'etf with a key',
    parse: reply(EtfReply),
    json: {
      code: '0',
      message: 'success',
      data: {
        list: [
          { date: '2026-09-28', total_net_inflow: 5_000_000, total_net_assets: { value: 1e10 } },
          { date: '2026-09-25', total_net_inflow: { value: -1_000_000 } },
        ],
      },
    },
  },
  {
    file: 'block summary',
    parse: reply(SizedReply),
    json: Array.from({ length: 5 }, (_, i) => ({
      txid: `${i}`.repeat(64),
      fee: 141 * i,
      vsize: 141,
      value: 10_000_000_000 * i,
      rate: 1,
      flags: 1,
    })),
  },
  {
    file: 'blocks',
    parse: reply(BlocksReply),
    json: [
      { id: TXID, height: 960_000, timestamp: AT_S, tx_count: 3_200 },
      { id: 'ab'.repeat(32), height: 959_999, timestamp: AT_S - 600, tx_count: 2_800 },
    ],
  },
  {
    file: 'transaction',
    parse: reply(TransactionReply),
    json: {
      txid: TXID,
      vin: [{ txid: TXID, vout: 0, prevout: end(ADDRESS, 900_000_000), is_coinbase: false }],
      vout: [end(`${ADDRESS}2`, 600_000_000), end(ADDRESS, 299_999_000), { value: 0 }],
      fee: 1_000,
      status: { confirmed: true, block_height: 960_000, block_time: AT_S },
    },
  },
  { file: 'price', parse: reply(PricesReply), json: { time: AT_S, USD: 100_000, EUR: 90_000 } },
  {
    file: 'fees',
    parse: reply(FeesReply),
    json: { fastestFee: 3, halfHourFee: 2, hourFee: 1, economyFee: 1, minimumFee: 1 },
  },
]
