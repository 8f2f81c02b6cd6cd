import type { BotPorts } from '../../../src/bot/ports.ts'
import type { Coin } from '../../../src/core/coin.ts'
import { createRandomStream } from '../../../src/core/math/random.ts'
import type { Clock } from '../../../src/core/time/clock.ts'
import { HOUR_MS, MINUTE_MS } from '../../../src/core/time/time.ts'
import { windowAt } from '../../../src/core/time/window.ts'
import type { WindowMarket } from '../../../src/feeds/prediction/five-minute-markets.ts'
import { type Signal, verdictOf } from '../../../src/signals/signal.ts'
import type { FiveMinuteMarket } from '../../../src/upstreams/polymarket/five-minute-market.ts'
import type { TokenBook } from '../../../src/upstreams/polymarket/token-book.ts'
import type { Timeline } from '../../simulation/timeline.ts'
import { levelsOf, type SimBook, type SimBooks, stepAt } from './books.ts'
import { indexOf, STEP_MS } from './course.ts'
import type { SimMarkets } from './markets.ts'
import type { Weather } from './storm.ts'

type World = {
  seed: number
  timeline: Timeline
  weather: Weather
  markets: SimMarkets
  books: SimBooks
  /** No window opens at or after it. */
  endS: number
}

/** Books and markets as a process with its own clock sees them. */
export function createMarketView(
  world: World,
  clock: Pick<Clock, 'now'>,
): Pick<BotPorts['markets'], 'open' | 'missing' | 'market'> {
  const { timeline, weather, markets, books } = world
  const shown = new Map<Coin, { key: string; market: WindowMarket }>()
  let version = 0
  return {
    open(coin) {
      const nowMs = timeline.now()
      const aheadMs = clock.now() - nowMs
      const { startS } = windowAt(clock.now())
      if (startS >= world.endS || weather.is('booksGone', nowMs)) return undefined
      const isStale = weather.is('booksStale', nowMs)
      const frozenMs = isStale ? Math.floor(nowMs / MINUTE_MS) * MINUTE_MS : nowMs
      const book = isStale
        ? books.made(coin, startS, stepAt(startS, frozenMs))
        : books.current(coin, startS, nowMs)
      const asOfMs = startS * 1000 + book.step * STEP_MS + aheadMs
      const marketAsOfMs = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS + aheadMs
      const key = `${startS} ${book.step} ${book.changes} ${asOfMs} ${marketAsOfMs}`
      const known = shown.get(coin)
      if (known?.key === key) return known.market
      const { market } = markets.of(coin, startS)
      const made: WindowMarket = {
        market: { ...market, tickSize: book.tickE4 / 1e4 },
        up: toBook(market, book, 'UP', asOfMs),
        down: toBook(market, book, 'DOWN', asOfMs),
        asOfMs,
        marketAsOfMs,
        version: ++version,
      }
      shown.set(coin, { key, market: made })
      return made
    },
    missing: () => 'the venue is being read',
    market(coin, startS) {
      const { market, resolvesMs, outcome, endMs } = markets.of(coin, startS)
      const isResolved = timeline.now() >= resolvesMs
      return {
        ...market,
        acceptingOrders: market.acceptingOrders && clock.now() < endMs,
        closed: isResolved,
        outcome: isResolved ? outcome : undefined,
      }
    },
  }
}

function toBook(market: FiveMinuteMarket, book: SimBook, token: 'UP' | 'DOWN', atMs: number): TokenBook {
  return {
    tokenId: token === 'UP' ? market.tokens.up : market.tokens.down,
    conditionId: market.conditionId,
    ...levelsOf(book, token),
    tickSize: book.tickE4 / 1e4,
    minOrderSize: 5,
    lastTradePrice: undefined,
    hash: undefined,
    atMs,
  }
}

/** Of every block of this length it is drawn whether our probabilities are good. */
const MOOD_MS = HOUR_MS
const BAD_MOODS = 0.15

/** Signals that know the true probability up to a small error, and in bad hours are sure of what is not so. */
export function createSignalView(world: World, clock: Pick<Clock, 'now'>): BotPorts['signals'] {
  const { timeline, weather, markets } = world
  const stream = createRandomStream(String(world.seed), 'signals')
  return {
    signal(coin) {
      const nowMs = timeline.now()
      const { startS } = windowAt(clock.now())
      if (startS >= world.endS) return undefined
      const step = Math.max(0, stepAt(startS, nowMs))
      const at = (indexOf(coin, startS) * 1_000 + step) * 10
      const isBad = stream.uniform(Math.floor(nowMs / MOOD_MS)) < BAD_MOODS
      const sign = stream.uniform(indexOf(coin, startS) * 10_000 + 9_999) < 0.5 ? -1 : 1
      const fair = markets.of(coin, startS).course.fairUp(step)
      const wrong = isBad ? 0.2 * sign : 0.015 * stream.normal(at)
      const probabilityUp = Math.min(0.99, Math.max(0.01, fair + wrong))
      const isStale = weather.is('signalStale', nowMs)
      const ageMs = isStale ? 10_000 : Math.floor(1_500 * stream.uniform(at + 1))
      return {
        ...verdictOf(probabilityUp, 0.5),
        abstain: stream.uniform(at + 2) < 0.03,
        coin,
        asOfMs: clock.now() - ageMs,
        windowStartS: startS,
        price: 100,
        priceKind: 'twap_60s',
        regime: 'neutral',
        indicators: INDICATORS,
        unknownIndicators: {},
        version: at,
      }
    },
    missing: () => 'the signal is warming up',
  }
}

const INDICATORS: Signal['indicators'] = {
  tickMomentum: 0,
  bookImbalance: 0,
  aggressorRatio: 0.5,
  rsi: 50,
  volumeSpike: 1,
  rateOfChange: 0,
  macd: 0,
  bollinger: 0.5,
}
