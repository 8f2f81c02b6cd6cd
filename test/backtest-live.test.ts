import { describe, expect, test } from 'vitest'
import { type CandlePrediction, runCandles } from '../src/backtest/run-candles.ts'
import { COINS, type Coin, mapCoins } from '../src/core/coin.ts'
import { MINUTE_MS } from '../src/core/time/time.ts'
import { WINDOW_S } from '../src/core/time/window.ts'
import type { ClosedCandle } from '../src/signals/history/closed-candle.ts'
import { WARM_MINUTES } from '../src/signals/model/features.ts'
import { searchSize } from '../src/testing/search-size.ts'
import { createEngineWorld } from '../src/testing/signals/engine-world.ts'
import { FIRST_MS, randomCandles } from '../src/testing/signals/random-candles.ts'
import { sampleModel } from '../src/testing/signals/sample-model.ts'

const DAY_MIN = 1_440
/** A multiple of five: it ends when a window opens. */
const WARM = WARM_MINUTES
const DAYS = searchSize('live-days')
const COUNT = WARM + DAYS * DAY_MIN + 60
const model = sampleModel('same')

type History = Record<Coin, readonly ClosedCandle[]>

/** Prices as far apart as those of the four; ticks are powers of two, so that a mid can be a close exactly. */
const PRICES: Record<Coin, number> = { BTC: 60_000, ETH: 3_000, SOL: 150, XRP: 2 }

const whole: History = mapCoins((coin) =>
  randomCandles({ seed: coin, count: COUNT, price: PRICES[coin], tick: coin === 'XRP' ? 2 ** -12 : 2 ** -8 }),
)

type Said = Map<string, Pick<CandlePrediction, 'probabilityUp' | 'direction' | 'confidence' | 'regime'>>
const keyOf = (coin: Coin, asOfS: number) => `${coin} ${asOfS}`

function backtested(history: History): Said {
  const said: Said = new Map()
  for (const coin of COINS) {
    const context = COINS.filter((other) => other !== coin).map((other) => history[other])
    for (const { asOfS, probabilityUp, direction, confidence, regime } of runCandles({
      model,
      candles: history[coin],
      context,
    }))
      said.set(keyOf(coin, asOfS), { probabilityUp, direction, confidence, regime })
  }
  return said
}

/** Each minute's end: the venue's candle, a book with its close for a mid, then time for the engine to take it. */
function lived(history: History): Said {
  const said: Said = new Map()
  const byEnd = mapCoins(
    (coin) => new Map(history[coin].map((candle) => [candle.openMs + MINUTE_MS, candle])),
  )
  const firstEndMs = FIRST_MS + WARM * MINUTE_MS
  const world = createEngineWorld(firstEndMs - MINUTE_MS, model)
  for (const coin of COINS)
    for (const [endMs, candle] of byEnd[coin]) if (endMs < firstEndMs) world.kline(coin, candle)
  for (let endMs = firstEndMs; endMs <= FIRST_MS + COUNT * MINUTE_MS; endMs += MINUTE_MS) {
    world.clock.advanceTo(endMs)
    for (const coin of COINS) {
      const candle = byEnd[coin].get(endMs)
      if (candle) world.kline(coin, candle)
      // A minute that the history lacks is one that nobody will bring.
      else world.sink.minuteLost({ venue: 'binance', coin, openMs: endMs - MINUTE_MS })
      if (candle) world.book(coin, endMs, candle.close)
    }
    world.clock.advanceTo(endMs + 30_000)
    for (const coin of COINS) {
      const signal = world.engine.signal(coin)
      if (signal?.asOfMs !== endMs || !byEnd[coin].has(endMs)) continue
      const { probabilityUp, direction, confidence, regime } = signal
      expect(signal.windowStartS).toBe(Math.floor(endMs / 1000 / WINDOW_S) * WINDOW_S)
      expect(signal.priceKind).toBe('spot')
      said.set(keyOf(coin, endMs / 1000), { probabilityUp, direction, confidence, regime })
    }
  }
  return said
}

function expectSame(live: Said, backtest: Said): void {
  const differing = [...backtest].filter(
    ([key, { probabilityUp }]) => live.get(key)?.probabilityUp !== probabilityUp,
  )
  expect(differing.map(([key, said]) => [key, said.probabilityUp, live.get(key)?.probabilityUp])).toEqual([])
  expect(live).toEqual(backtest)
  console.info(`live and backtest: ${backtest.size} equal predictions of ${DAYS} days`)
}

describe('the live engine and the backtest say the same, bit by bit', () => {
  test(`on ${DAYS} days of four coins at every minute of every window`, () => {
    const backtest = backtested(whole)
    expect(backtest.size).toBe(4 * (COUNT - WARM + 1))
    expectSame(lived(whole), backtest)
    // They do not agree for want of anything to say.
    const sure = [...backtest.values()].filter(({ confidence }) => confidence > 0.6)
    expect(sure.length).toBeGreaterThan(backtest.size / 4)
  })

  test('where minutes are missing, inside windows, at their start and for hours, of one coin or of all', () => {
    const holes: Record<Coin, readonly (readonly [from: number, to: number])[]> = {
      BTC: [[2_000, 2_001]],
      ETH: [
        [900, 901],
        [1_204, 1_205],
        [2_000, 2_001],
      ],
      SOL: [[1_000, 1_180]],
      XRP: [
        [1_101, 1_104],
        [1_499, 1_500],
        [1_503, 1_512],
      ],
    }
    const holed = mapCoins((coin) =>
      whole[coin].filter((_, at) => !holes[coin].some(([from, to]) => at >= from && at < to)),
    )
    const backtest = backtested(holed)
    const live = lived(holed)
    expect(backtest.size).toBeGreaterThan(4 * (COUNT - WARM) - 300)
    // The live window may know its opening price from a book although a minute inside is missing: it says more.
    expectSame(new Map([...live].filter(([key]) => backtest.has(key))), backtest)
  })
})
