import type { ProviderName, Upstreams } from '../../config/providers.ts'
import { COINS } from '../../core/coin.ts'
import { readBinanceFrame } from '../../upstreams/binance-futures/wire.ts'
import { readBybitFrame, TOPIC } from '../../upstreams/bybit/wire.ts'
import { CHANNEL, type ContractCoins, readOkxFrame } from '../../upstreams/okx/wire.ts'
import type { LiquidationFrame } from '../../upstreams/perpetuals/liquidation.ts'

/** Venues that tell everybody of liquidations. */
export const LIQUIDATION_VENUES = ['binance', 'bybit', 'okx'] as const
export type LiquidationVenue = (typeof LIQUIDATION_VENUES)[number]

/** How one venue is asked, and what its frames mean. */
export type LiquidationStream = {
  venue: LiquidationVenue
  provider: ProviderName
  url: string
  /** Sent once connected; undefined where the address says it all. */
  subscription: string | undefined
  /** What the venue takes for a sign of life; undefined: a ping of the protocol. */
  ping: string | undefined
  read(text: string): LiquidationFrame
}

export function liquidationStreams(
  upstreams: Upstreams,
  contractCoins: ContractCoins,
): readonly LiquidationStream[] {
  const binanceStreams = COINS.map((coin) => `${coin.toLowerCase()}usdt@forceOrder`).join('/')
  const bybitTopics = COINS.map((coin) => `${TOPIC}${coin}USDT`)
  return [
    {
      venue: 'binance',
      provider: 'binance_futures',
      url: `${upstreams.BINANCE_FUTURES_WS}/stream?streams=${binanceStreams}`,
      subscription: undefined,
      ping: undefined,
      read: readBinanceFrame,
    },
    {
      venue: 'bybit',
      provider: 'bybit',
      url: `${upstreams.BYBIT_WS}/linear`,
      subscription: JSON.stringify({ op: 'subscribe', args: bybitTopics }),
      ping: JSON.stringify({ op: 'ping' }),
      read: readBybitFrame,
    },
    {
      venue: 'okx',
      provider: 'okx',
      url: upstreams.OKX_WS,
      subscription: JSON.stringify({ op: 'subscribe', args: [{ channel: CHANNEL, instType: 'SWAP' }] }),
      ping: 'ping',
      read: (text) => readOkxFrame(text, contractCoins),
    },
  ]
}
