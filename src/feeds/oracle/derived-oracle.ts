import { COINS, type Coin } from '../../core/coin.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { FeedSink, Trade } from '../events.ts'

const WINDOW_S = 60
/** After this long without a trade the last price is no longer used. */
const CARRY_MS = 30_000

/**
 * Stands in for the oracle where no account for it is configured: once a second the last Coinbase dollar price, and
 * the mean of the last 60 such seconds, which is their time-weighted average on a grid of one second. Measured
 * elsewhere, Coinbase BTC-USD is within about 0.1 bps of the oracle on average (deviation 0.6 bps).
 */
export type DerivedOracle = {
  observe(trade: Trade): void
  /** Call at every whole second. */
  tick(): void
}

export function createDerivedOracle({
  clock,
  sink,
}: {
  clock: Clock
  sink: Pick<FeedSink, 'oracle'>
}): DerivedOracle {
  const lastTrades = new Map<Coin, Trade>()
  const means = new Map(COINS.map((coin) => [coin, createSlidingMean(WINDOW_S)]))
  return {
    observe(trade) {
      if (trade.venue === 'coinbase') lastTrades.set(trade.coin, trade)
    },
    tick() {
      const nowMs = clock.now()
      const atMs = nowMs - (nowMs % 1000)
      for (const [coin, mean] of means) {
        const last = lastTrades.get(coin)
        if (!last || nowMs - last.atMs > CARRY_MS) {
          mean.clear()
          continue
        }
        const price = mean.push(last.price)
        sink.oracle({ coin, kind: 'spot', price: last.price, source: 'coinbase_derived', atMs })
        if (price !== undefined)
          sink.oracle({ coin, kind: 'twap_60s', price, source: 'coinbase_derived', atMs })
      }
    },
  }
}

/** The mean of the last `size` values, once there are that many. */
function createSlidingMean(size: number) {
  let values: number[] = []
  return {
    push(value: number): number | undefined {
      values.push(value)
      if (values.length > size) values.shift()
      // Summed from scratch each time: sixty additions, and no rounding error that grows over days.
      return values.length < size ? undefined : values.reduce((sum, each) => sum + each, 0) / size
    },
    clear() {
      values = []
    },
  }
}
