import { z } from 'zod'
import { paid } from '../../catalog/access.ts'
import { defineEndpoint } from '../../catalog/endpoints/endpoint.ts'
import { COINS, type Coin, listCoins } from '../../core/coin.ts'
import { usd } from '../../core/money.ts'
import { ServiceError } from '../../core/service-error.ts'
import { MINUTE_MS } from '../../core/time/time.ts'
import type { Part } from '../../intel/part.ts'
import { LARGE_TRADE_USD, LARGE_TRANSFER_USD, type WatchedToken } from '../../intel/whales/thresholds.ts'
import { CHAINS } from '../../intel/whales/transfer.ts'
import { ETF_COINS } from '../../upstreams/sosovalue/client.ts'
import { isoTime, Source, Timestamp } from '../fields.ts'
import { Method, methodLink } from '../method-link.ts'
import { oldestMs, PartFields, toPartFields } from '../part-fields.ts'
import { Coins } from '../signals/coins.ts'
import {
  EtfFields,
  ExchangeFlowFields,
  FeeFields,
  LiquidationFields,
  NetFlowFields,
  TradeFields,
  TransferFields,
} from './fields.ts'
import type { WhaleServices } from './services.ts'
import {
  toEtfFields,
  toExchangeFlowFields,
  toFeeFields,
  toLiquidationFields,
  toNetFlowFields,
  toTradeFields,
  toTransferFields,
} from './to-fields.ts'

const METHOD = methodLink('whales')
/** Transfers stay worth showing for a quarter of an hour, trades for ten minutes. */
const FRESH_FOR_MS = 15 * MINUTE_MS
/** Replies are shared for this long while nothing changes, so spans in them are off by at most as much. */
const SHARED_MS = 5_000
const MOST_ROWS = 200

const Params = z.object({
  coins: Coins.describe(
    'Coins with commas between them, such as btc,eth; all four when left out. Narrows every list, USDC stays; the sums over all coins in all_exchange_liquidations_24h and bitcoin_fees are as they are',
  ),
  min_usd: z.coerce
    .number()
    .min(0)
    .max(1e12)
    .default(0)
    .describe(
      'Smaller trades and transfers are left out of large_trades, net_flow and transfers. exchange_flows, etf_flows and all_exchange_liquidations_24h are sums of which no single amounts are kept',
    ),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(MOST_ROWS)
    .default(25)
    .describe(`Trades and transfers listed at most, 1 to ${MOST_ROWS} of each`),
})

const Reply = z.object({
  timestamp: Timestamp.describe('Of the older of large trades and transfers'),
  source: Source,
  net_flow: z
    .array(NetFlowFields)
    .describe('Large trades of the last hour, of at least min_usd, summed up per coin'),
  large_trades: z.array(TradeFields).describe('Newest first'),
  transfers: z.array(TransferFields).describe('Of the last 24 hours on Bitcoin and Base, newest first'),
  exchange_flows: z.array(ExchangeFlowFields),
  etf_flows: z.array(EtfFields).describe('American spot funds, day by day'),
  all_exchange_liquidations_24h: LiquidationFields,
  bitcoin_fees: FeeFields,
  thresholds: z
    .object({ trades_usd: z.record(z.string(), z.number()), transfers_usd: z.record(z.string(), z.number()) })
    .describe('From these amounts on a trade or a transfer is large'),
  parts: z.object({
    large_trades: PartFields,
    bitcoin_transfers: PartFields.describe('Transfers and exchange flows of Bitcoin'),
    base_transfers: PartFields.describe('Transfers and exchange flows of Base'),
    etf_flows: PartFields,
    all_exchange_liquidations_24h: PartFields,
    bitcoin_fees: PartFields,
  }),
  method: Method,
})

export const whaleMoves = defineEndpoint({
  id: 'whales.moves',
  method: 'GET',
  path: '/whales',
  aliases: ['/whale-moves', '/whale/moves'],
  access: paid(usd('0.02')),
  summary: 'Large trades, large transfers, exchange flows and ETF flows',
  description:
    'Large trades of BTC, ETH, SOL and XRP at our own venues and, through CoinLobster, at many more; their net flow of the last hour and whether it is more than chance; large transfers on Bitcoin and Base; what went onto known exchanges and off them in 1 and 24 hours; flows of American spot ETFs by day, with their age. Each part says source, time and status. Without trades and transfers: 503, not charged. coins, min_usd and limit narrow.',
  brings: 'Large trades and transfers, what moved onto exchanges and off them, and the flows of ETFs.',
  params: Params,
  sample: { coins: 'btc' },
  title: ({ coins }) => `Whale moves of ${listCoins(coins ?? COINS)}`,
  response: Reply,
  tool: 'get_whale_moves',
  freshForMs: FRESH_FOR_MS,
  changes: ({ whales, clock }: WhaleServices) => [whales.version(), Math.floor(clock.now() / SHARED_MS)],
  handle: (services: WhaleServices, { coins = COINS, min_usd, limit }) => {
    const { whales, sourceOf, clock } = services
    const trades = whales.trades()
    const chains = CHAINS.map((chain) => ({ chain, part: whales.transfers(chain) }))
    const essential = [trades, ...chains.map(({ part }) => part)].filter(isThere)
    const dataMs = oldestMs(essential)
    if (dataMs === undefined)
      throw new ServiceError('upstream_unavailable', `no large trades (${trades.reason}) and no transfers`)
    const isWanted = wantedBy(coins)
    const etf = ETF_COINS.filter((coin) => isWanted(coin)).map((coin) => ({ coin, part: whales.etf(coin) }))
    const [liquidations, fees] = [whales.liquidations(), whales.bitcoinFees()]
    return {
      timestamp: isoTime(dataMs),
      source: sourceOf([...new Set(essential.map(({ source }) => source))].join('_and_')),
      net_flow: coins.flatMap((coin) => {
        const { value } = whales.flow(coin, min_usd)
        return value ? [toNetFlowFields(coin, value)] : []
      }),
      large_trades: (trades.value ?? [])
        .filter((trade) => isWanted(trade.coin) && trade.usd >= min_usd)
        .slice(0, limit)
        .map(toTradeFields),
      transfers: chains
        .flatMap(({ part }) => part.value ?? [])
        .filter((transfer) => isWanted(transfer.token) && transfer.usd >= min_usd)
        .sort((a, b) => b.atMs - a.atMs)
        .slice(0, limit)
        .map(toTransferFields),
      exchange_flows: CHAINS.flatMap((chain) =>
        (whales.exchangeFlows(chain).value ?? [])
          .filter(({ token }) => isWanted(token))
          .map((flow) => toExchangeFlowFields(chain, flow)),
      ),
      etf_flows: etf.flatMap(({ coin, part }) => toEtfFields(coin, part, clock.now())),
      all_exchange_liquidations_24h: toLiquidationFields(liquidations, coins),
      bitcoin_fees: toFeeFields(fees),
      thresholds: { trades_usd: LARGE_TRADE_USD, transfers_usd: LARGE_TRANSFER_USD },
      parts: {
        large_trades: toPartFields(trades, sourceOf),
        bitcoin_transfers: toPartFields(whales.transfers('bitcoin'), sourceOf),
        base_transfers: toPartFields(whales.transfers('base'), sourceOf),
        etf_flows: toPartFields(oldestPart(etf.map(({ part }) => part)), sourceOf),
        all_exchange_liquidations_24h: toPartFields(liquidations, sourceOf),
        bitcoin_fees: toPartFields(fees, sourceOf),
      },
      method: METHOD,
    }
  },
})

const isThere = (part: Part<unknown>): boolean => part.status !== 'missing'

const COIN_OF: Readonly<Record<Exclude<WatchedToken, 'USDC'>, Coin>> = {
  BTC: 'BTC',
  WETH: 'ETH',
  cbBTC: 'BTC',
}

/** Dollars belong to every coin: they are what it is bought with. */
function wantedBy(coins: readonly Coin[]): (token: WatchedToken | Coin) => boolean {
  return (token) => {
    if (token === 'USDC') return true
    return coins.includes(token === 'WETH' || token === 'cbBTC' ? COIN_OF[token] : token)
  }
}

/** The worst of them speaks for all: one that is missing, else the oldest. */
function oldestPart(parts: readonly Part<unknown>[]): Part<unknown> {
  const none: Part<unknown> = { source: 'sosovalue', status: 'missing', reason: 'no fund of these coins' }
  return parts.reduce<Part<unknown>>(
    (worst, part) => ((part.asOfMs ?? 0) < (worst.asOfMs ?? 0) ? part : worst),
    parts[0] ?? none,
  )
}
