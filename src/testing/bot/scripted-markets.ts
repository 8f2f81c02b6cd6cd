import type { Level } from '../../core/level.ts'
import type { Clock } from '../../core/time/clock.ts'
import { windowAt } from '../../core/time/window.ts'
import type { WindowMarket } from '../../feeds/prediction/five-minute-markets.ts'
import type { FiveMinuteMarket } from '../../upstreams/polymarket/five-minute-market.ts'
import { fiveMinuteMarket } from '../prediction/five-minute-market.ts'

type Sides = { bids: readonly Level[]; asks: readonly Level[] }

/** The five-minute markets of BTC with books that a test sets; DOWN mirrors UP, as at the venue. */
export function createScriptedMarkets(clock: Clock, first: Sides) {
  let sides = first
  let terms: Partial<FiveMinuteMarket> = {}
  let asOfMs: number | undefined
  let isMissing = false
  let version = 0
  return {
    setBook(next: Sides) {
      sides = next
    },
    /** Tells of the market what the venue may change. */
    setTerms(next: Partial<FiveMinuteMarket>) {
      terms = next
    },
    /** The book was last confirmed then. */
    confirmedAt(ms: number) {
      asOfMs = ms
    },
    lose() {
      isMissing = true
    },
    missing: () => 'the order book is being read',
    open(): WindowMarket | undefined {
      if (isMissing) return undefined
      const market = fiveMinuteMarket({ coin: 'BTC', startS: windowAt(clock.now()).startS, ...terms })
      const bookOf = (tokenId: string, { bids, asks }: Sides) => ({
        ...{ tokenId, conditionId: market.conditionId, bids, asks, tickSize: market.tickSize },
        ...{ minOrderSize: 5, lastTradePrice: undefined, hash: undefined, atMs: clock.now() },
      })
      return {
        market,
        up: bookOf(market.tokens.up, sides),
        down: bookOf(market.tokens.down, { bids: mirrored(sides.asks), asks: mirrored(sides.bids) }),
        asOfMs: asOfMs ?? clock.now(),
        marketAsOfMs: clock.now(),
        version: ++version,
      }
    },
  }
}

const mirrored = (levels: readonly Level[]): readonly Level[] =>
  levels.map(([price, size]) => [Math.round((1 - price) * 10_000) / 10_000, size])
