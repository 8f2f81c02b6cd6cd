import { createHash } from 'node:crypto'
import type { Coin } from '../../core/coin.ts'
import type { WhaleTrade } from '../../upstreams/coinlobster/wire.ts'
import { LARGE_TRADE_USD } from './thresholds.ts'

// What another's list says is neither believed nor repeated without a look: it is one source, and anybody may be behind it.

/** Rows are up to some hours old when they are first seen, and futures differ from spot. */
const MOST_PRICE_OFF = 0.15
/** A trade a thousand times as large as a large one is a mistake in the units. */
const MOST_TIMES_LARGE = 1_000
const ID_CHARS = 16

/** `marketPrice` is our own; while there is none, only sizes are bounded. */
export function isPlausible({ coin, price, usd }: WhaleTrade, marketPrice: number | undefined): boolean {
  if (usd > mostUsdOf(coin)) return false
  return marketPrice === undefined || Math.abs(price / marketPrice - 1) <= MOST_PRICE_OFF
}

const mostUsdOf = (coin: Coin): number => MOST_TIMES_LARGE * LARGE_TRADE_USD[coin]

/** The same for the same row, and no word of theirs. */
export const reportedId = ({ coin, exchange, id }: WhaleTrade): string => {
  const hash = createHash('sha256').update(JSON.stringify([exchange, id]))
  return `coinlobster:${coin}:${hash.digest('hex').slice(0, ID_CHARS)}`
}

const EXCHANGES = [
  ...['Binance', 'Binance US', 'Bitfinex', 'BitMEX', 'Bitget', 'Bitstamp', 'Bybit', 'Coinbase', 'Crypto.com'],
  ...[
    'Coinbase International',
    'Deribit',
    'dYdX',
    'Gate.io',
    'Gemini',
    'HTX',
    'Huobi',
    'Hyperliquid',
    'Kraken',
  ],
  ...[
    'KuCoin',
    'MEXC',
    'OKX',
    'Poloniex',
    'Upbit',
    'Bithumb',
    'Bullish',
    'LBank',
    'BingX',
    'Phemex',
    'WhiteBIT',
  ],
] as const
/** What may follow an exchange's name. */
const MARKETS = / (?:spot|futures?|perps?|perpetuals?|swaps?|exchange|pro|advanced)$/
const plainName = (name: string): string => name.toLowerCase().replace(/[^a-z ]/g, '')
const BY_PLAIN_NAME: ReadonlyMap<string, string> = new Map(EXCHANGES.map((name) => [plainName(name), name]))

const OTHER_EXCHANGE = 'other'

/** From a closed list: a name that anybody may choose is no place for words to whoever reads it. */
export const shownExchange = (name: string): string =>
  BY_PLAIN_NAME.get(plainName(name).replace(MARKETS, '')) ?? OTHER_EXCHANGE
