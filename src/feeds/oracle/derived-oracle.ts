import { COINS, type Coin } from '../../core/coin.ts'
import type { Clock } from '../../core/time/clock.ts'
import type { FeedSink, Trade } from '../events.ts'

const WINDOW_S = 60
/** After this long without a trade the last price is no longer used. */
const CARRY_S = 30

/**
 * Stands in for the oracle where no account for it is configured: once a second the last Coinbase dollar price, and
 * the mean of the last 60 such seconds, which is their time-weighted average on a grid of one second. Seconds before
 * the start count too, from the trades that the venue knows of them. Measured elsewhere, Coinbase BTC-USD is within
 * about 0.1 bps of the oracle on average (deviation 0.6 bps).
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
  const prices = new Map(COINS.map((coin) => [coin, createSecondPrices()] as const))
  const tell = (coin: Coin, kind: 'spot' | 'twap_60s', price: number | undefined, atMs: number) => {
    if (price !== undefined) sink.oracle({ coin, kind, price, source: 'coinbase_derived', atMs })
  }
  return {
    observe({ venue, coin, price, atMs }) {
      if (venue === 'coinbase') prices.get(coin)?.add(price, atMs)
    },
    tick() {
      const second = Math.floor(clock.now() / 1000)
      for (const [coin, bySecond] of prices) {
        const { last, mean } = bySecond.read(second)
        tell(coin, 'spot', last, second * 1000)
        tell(coin, 'twap_60s', mean, second * 1000)
      }
    },
  }
}

/** The price at whole seconds: of the last trade before each. */
function createSecondPrices() {
  /** By the first whole second after the trade. */
  const changes = new Map<number, number>()
  return {
    /** Trades come in the order of their ids. */
    add(price: number, atMs: number): void {
      changes.set(Math.floor(atMs / 1000) + 1, price)
    },
    /** At `second`, and the mean of the 60 seconds up to it; undefined where a price is not known. */
    read(second: number): { last: number | undefined; mean: number | undefined } {
      const firstS = second - WINDOW_S + 1
      let price: number | undefined
      let changedS = Number.NEGATIVE_INFINITY
      let sum = 0
      let known = 0
      for (let at = firstS - CARRY_S; at <= second; at++) {
        const changed = changes.get(at)
        if (changed !== undefined) [price, changedS] = [changed, at]
        if (at - changedS >= CARRY_S) price = undefined
        if (at < firstS || price === undefined) continue
        // Summed from scratch each time: no rounding error that grows over days.
        sum += price
        known++
      }
      for (const at of changes.keys()) if (at <= firstS - CARRY_S) changes.delete(at)
      return { last: price, mean: known === WINDOW_S ? sum / WINDOW_S : undefined }
    },
  }
}
