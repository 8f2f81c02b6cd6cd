import { COINS, type Coin, mapCoins } from '../../core/coin.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { MarketEvent } from '../../upstreams/polymarket/socket/market-events.ts'
import { createStreamGauge, type StreamHealth } from '../stream-health.ts'

/** What health says of each coin's market on the connection. */
export type CoinGauges = {
  heard(coin: Coin, event: MarketEvent): void
  repaired(coin: Coin): void
  lost(): void
  read(): readonly StreamHealth[]
}

export function createCoinGauges(clock: Clock): CoinGauges {
  const gauges = mapCoins((coin) => createStreamGauge(clock, { kind: 'book', source: 'polymarket', coin }))
  return {
    heard(coin, event) {
      gauges[coin].arrived(event.type === 'book' ? clock.now() : event.atMs)
    },
    repaired(coin) {
      gauges[coin].count('resyncs')
    },
    lost() {
      for (const coin of COINS) {
        gauges[coin].count('reconnects')
        gauges[coin].become('backoff')
      }
    },
    read: () => COINS.map((coin) => gauges[coin].read()),
  }
}
