import { describe, expect, test } from 'vitest'
import { COINS, type Coin, mapCoins } from '../../core/coin.ts'
import { createEngineWorld, type EngineWorld } from '../../testing/signals/engine-world.ts'
import { FIRST_MS, randomCandles } from '../../testing/signals/random-candles.ts'
import { blankModel, sampleModel } from '../../testing/signals/sample-model.ts'
import type { ClosedCandle } from '../history/closed-candle.ts'

const MIN = 60_000
/** The number of the minute that ends when a window opens. */
const WARM = 800
const all = mapCoins((coin) => randomCandles({ seed: coin, count: WARM + 60, tick: 2 ** -8 }))
const endOf = (minute: number) => FIRST_MS + minute * MIN
const candleOf = (coin: Coin, minute: number) => all[coin][minute - 1] as ClosedCandle

/** Told the minutes up to number `minutes`, and taken to two seconds after the last one's end. */
function warm({ minutes = WARM, model = sampleModel(), coins = COINS as readonly Coin[] } = {}): EngineWorld {
  const world = createEngineWorld(endOf(minutes), model)
  for (const coin of coins) for (const candle of all[coin].slice(0, minutes)) world.kline(coin, candle)
  world.clock.advance(2_000)
  return world
}

/** The same with the window's opening heard. */
function opened(): EngineWorld {
  const world = warm()
  for (const coin of COINS) world.book(coin, endOf(WARM) + 2_000, candleOf(coin, WARM).close)
  return world
}

/** Closes a minute for these coins, a book with its close included, and lets the engine take it. */
function closeMinute(world: EngineWorld, minute: number, coins: readonly Coin[] = COINS): void {
  world.clock.advanceTo(endOf(minute))
  for (const coin of coins) world.kline(coin, candleOf(coin, minute))
  for (const coin of coins) world.book(coin, endOf(minute), candleOf(coin, minute).close)
  world.clock.advance(4_000)
}

const probabilities = ({ engine }: EngineWorld) => COINS.map((coin) => engine.signal(coin)?.probabilityUp)

describe('warming up', () => {
  test('says nothing before the venue’s past is there, and something at the next event after', () => {
    const world = createEngineWorld(endOf(WARM), sampleModel())
    world.book('BTC', endOf(WARM), 100)
    for (const candle of all.BTC.slice(WARM - 719, WARM)) world.kline('BTC', candle)
    world.clock.advance(10_000)
    expect(world.engine.signal('BTC')).toBeUndefined()
    // Its past comes whole a little later: what was there before did not start the warm-up.
    for (const candle of all.BTC.slice(0, WARM)) world.kline('BTC', candle)
    world.clock.advance(3_000)
    expect(world.engine.signal('BTC')).toMatchObject({ coin: 'BTC', windowStartS: endOf(WARM) / 1000 })
    expect(world.engine.signal('ETH')).toBeUndefined()
  })

  test('without a price there is no signal', () => {
    const world = warm()
    expect(probabilities(world)).toEqual([undefined, undefined, undefined, undefined])
  })

  test('inside a window without a known opening price there is none until one can be compared', () => {
    const world = warm({ minutes: WARM - 3 })
    world.book('BTC', endOf(WARM - 3) + 2_000, 100)
    // The window opened two minutes before, and its USDT opening is known, but no USDT price.
    expect(world.engine.signal('BTC')).toBeUndefined()
    world.trade('BTC', endOf(WARM - 3) + 2_500, 100)
    expect(world.engine.signal('BTC')?.priceKind).toBe('spot')
  })
})

describe('a signal', () => {
  test('has its time, window and price, and is consistent', () => {
    const world = warm()
    world.book('SOL', endOf(WARM) + 2_500, 123)
    const signal = world.engine.signal('SOL')
    expect(signal).toMatchObject({
      coin: 'SOL',
      asOfMs: endOf(WARM) + 2_500,
      windowStartS: endOf(WARM) / 1000,
      price: 123,
      priceKind: 'spot',
    })
    const up = signal?.probabilityUp ?? 0
    expect(signal?.direction).toBe(up >= 0.5 ? 'UP' : 'DOWN')
    expect(signal?.confidence).toBe(Math.max(up, 1 - up))
  })

  test('names the indicators that are unknown and why: here the venue that they are read from is silent', () => {
    const signal = opened().engine.signal('BTC')
    expect(signal?.indicators).toMatchObject({ rsi: expect.any(Number), macd: expect.any(Number) })
    expect(signal?.unknownIndicators).toEqual({
      tickMomentum: 'no trades are known yet',
      aggressorRatio: 'no trades are known yet',
      volumeSpike: 'no trades are known yet',
      bookImbalance: 'the order book is not known yet, or is being read again',
    })
  })

  test('follows the price, and the listener hears of every event', () => {
    const world = warm()
    const heard: Coin[] = []
    world.engine.onSignal((coin) => heard.push(coin))
    const at = endOf(WARM) + 3_000
    world.book('BTC', at, 100)
    const start = world.engine.signal('BTC')
    world.book('BTC', at + 1_000, 100.5)
    const higher = world.engine.signal('BTC')
    world.book('BTC', at + 2_000, 99.5)
    const lower = world.engine.signal('BTC')
    expect(higher?.probabilityUp).toBeGreaterThan(start?.probabilityUp ?? 1)
    expect(lower?.probabilityUp).toBeLessThan(start?.probabilityUp ?? 0)
    expect(heard).toEqual(['BTC', 'BTC', 'BTC'])
    world.engine.sink.bookLost({ venue: 'binance', coin: 'ETH', fault: 'crossed', atMs: at + 2_000 })
    expect(heard.at(-1)).toBe('ETH')
    expect([start, higher, lower].map((signal) => signal?.version)).toEqual(
      [0, 1, 2].map((more) => (start?.version ?? 0) + more),
    )
  })

  test('the first average of the oracle may be the first thing heard of a window', () => {
    const world = warm({ minutes: WARM - 1 })
    world.book('BTC', endOf(WARM) - 500, 100)
    world.clock.advanceTo(endOf(WARM))
    world.oracle('BTC', 'twap_60s', endOf(WARM), 99)
    expect(world.engine.signal('BTC')).toMatchObject({ priceKind: 'twap_60s', direction: 'UP' })
    expect(world.engine.signal('BTC')?.confidence).toBeGreaterThan(0.9)
  })

  test('a dollar price that is too old is no longer used', () => {
    const world = warm()
    world.book('BTC', endOf(WARM) + 2_000, 100)
    world.trade('BTC', endOf(WARM) + 12_000, 100)
    expect(world.engine.signal('BTC')?.price).toBe(100)
    world.trade('BTC', endOf(WARM) + 12_001, 200)
    // Now the USDT venue is compared with its own opening price.
    expect(world.engine.signal('BTC')?.price).toBe(200)
  })

  test('a lost book takes its price with it', () => {
    const world = warm()
    world.book('BTC', endOf(WARM) + 2_000, 100)
    expect(world.engine.signal('BTC')).toBeDefined()
    world.sink.bookLost({ venue: 'coinbase', coin: 'BTC', fault: 'crossed', atMs: endOf(WARM) + 2_100 })
    expect(world.engine.signal('BTC')).toBeUndefined()
    world.book('BTC', endOf(WARM) + 2_200, 100)
    expect(world.engine.signal('BTC')).toBeDefined()
  })
})

describe('minutes', () => {
  test('stale ones end the signal after three minutes', () => {
    const world = warm()
    const heard = [0, 60, 120, 179.999, 180, 200].map((secondsIn) => {
      const at = endOf(WARM) + secondsIn * 1000
      world.clock.advanceTo(at)
      world.book('XRP', at, 100)
      return world.engine.signal('XRP') !== undefined
    })
    expect(heard).toEqual([true, true, true, true, false, false])
    for (let minute = WARM + 1; minute <= WARM + 3; minute++)
      for (const coin of COINS) world.kline(coin, candleOf(coin, minute))
    world.clock.advance(3_000)
    expect(world.engine.signal('XRP')).toBeDefined()
  })

  test('are taken by all coins together: the order in which they arrive does not matter', () => {
    const [one, other] = [opened(), opened()]
    for (let minute = WARM + 1; minute <= WARM + 12; minute++) {
      for (const [world, order] of [
        [one, COINS],
        [other, COINS.toReversed()],
      ] as const) {
        world.clock.advanceTo(endOf(minute))
        order.forEach((coin, at) => {
          world.kline(coin, candleOf(coin, minute))
          world.book(coin, endOf(minute), candleOf(coin, minute).close)
          world.clock.advance(400 * at)
        })
        world.clock.advanceTo(endOf(minute) + 5_000)
      }
      expect(probabilities(one)).toEqual(probabilities(other))
      expect(probabilities(one)).not.toContain(undefined)
    }
  })

  test('the others wait for a coin that lags, go on without it, and it catches up', () => {
    const world = opened()
    const last = WARM + 1
    world.clock.advanceTo(endOf(last))
    for (const coin of COINS) world.book(coin, endOf(last), candleOf(coin, last).close)
    const before = probabilities(world)
    for (const coin of ['BTC', 'ETH', 'SOL'] as const) world.kline(coin, candleOf(coin, last))
    world.clock.advanceTo(endOf(last) + 15_900)
    expect(probabilities(world)).toEqual(before)
    world.clock.advanceTo(endOf(last) + 16_500)
    const [, , , xrp] = probabilities(world)
    expect(probabilities(world).slice(0, 3)).not.toEqual(before.slice(0, 3))
    expect(xrp).toBe(before[3])
    // Without the fourth they abstain, and it does until it has its minute.
    expect(COINS.map((coin) => world.engine.signal(coin)?.abstain)).toEqual([true, true, true, true])
    world.kline('XRP', candleOf('XRP', last))
    world.clock.advance(500)
    expect(probabilities(world)[3]).not.toBe(xrp)
  })

  test('a coin that was left behind is not waited for again', () => {
    const world = opened()
    const three = ['BTC', 'ETH', 'SOL'] as const
    closeMinute(world, WARM + 1, three)
    world.clock.advance(16_000)
    const before = probabilities(world)
    closeMinute(world, WARM + 2, three)
    for (const at of [0, 1, 2]) expect(probabilities(world)[at]).not.toBe(before[at])
  })

  test('one that is overdue makes the signal abstain, and one that has come ends that', () => {
    const world = opened()
    const abstains = () => COINS.filter((coin) => world.engine.signal(coin)?.abstain)
    const sure = COINS.filter((coin) => !abstains().includes(coin))
    expect(sure.length).toBeGreaterThan(0)
    world.clock.advanceTo(endOf(WARM + 1) + 6_000)
    expect(abstains()).toEqual(COINS.filter((coin) => !sure.includes(coin)))
    world.clock.advanceTo(endOf(WARM + 1) + 6_001)
    expect(abstains()).toEqual(COINS)
    for (const coin of COINS) world.kline(coin, candleOf(coin, WARM + 1))
    world.clock.advance(500)
    expect(abstains().length).toBeLessThan(COINS.length)
  })

  test('stop stops looking for them', () => {
    const world = warm()
    world.engine.stop()
    world.book('BTC', endOf(WARM), 100)
    const before = probabilities(world)
    closeMinute(world, WARM + 1, ['ETH', 'SOL', 'XRP'])
    expect(probabilities(world)[0]).toBe(before[0])
  })
})

describe('predict', () => {
  const opensS = endOf(WARM + 5) / 1000

  /** Four minutes on, with the fifth running since 50 seconds. */
  function beforeOpening(model = sampleModel()): EngineWorld {
    const world = warm({ model })
    for (let minute = WARM + 1; minute <= WARM + 4; minute++) closeMinute(world, minute)
    world.clock.advanceTo(endOf(WARM + 5) - 10_000)
    for (const coin of COINS) {
      world.trade(coin, endOf(WARM + 4) - 1, candleOf(coin, WARM + 4).close)
      world.trade(coin, endOf(WARM + 4) + 5_000, candleOf(coin, WARM + 5).open)
      world.trade(coin, endOf(WARM + 5) - 10_000, candleOf(coin, WARM + 5).close)
      world.book(coin, endOf(WARM + 5) - 10_000, candleOf(coin, WARM + 5).close)
    }
    return world
  }

  test('is for the next window and uses the running minute', () => {
    const world = beforeOpening()
    const predicted = COINS.map((coin) => world.engine.predict(coin, opensS))
    for (const [at, coin] of COINS.entries())
      expect(predicted[at]).toMatchObject({ coin, windowStartS: opensS, model: 'sample model' })
    expect(new Set(predicted.map((each) => each?.probabilityUp)).size).toBe(4)
  })

  test('knows nothing of any other window, nor once the minutes before it are missing', () => {
    const world = beforeOpening()
    for (const startS of [opensS - 300, opensS + 300, opensS - 60]) {
      expect(world.engine.predict('BTC', startS)).toBeUndefined()
    }
    expect(warm({ minutes: 300 }).engine.predict('BTC', endOf(301) / 1000)).toBeUndefined()
  })

  test('a coin whose minutes are behind is left out of the others’ predictions', () => {
    const world = beforeOpening()
    const whole = world.engine.predict('BTC', opensS)
    const behind = warm()
    for (let minute = WARM + 1; minute <= WARM + 4; minute++) {
      closeMinute(behind, minute, ['BTC', 'ETH', 'SOL'])
      behind.clock.advance(16_000)
    }
    behind.clock.advanceTo(endOf(WARM + 5) - 10_000)
    for (const coin of ['BTC', 'ETH', 'SOL'] as const)
      behind.trade(coin, endOf(WARM + 4) - 1, candleOf(coin, WARM + 4).close)
    for (const coin of ['BTC', 'ETH', 'SOL'] as const)
      behind.trade(coin, endOf(WARM + 5) - 10_000, candleOf(coin, WARM + 5).close)
    expect(behind.engine.predict('XRP', opensS)).toBeUndefined()
    expect(behind.engine.predict('BTC', opensS)?.probabilityUp).not.toBe(whole?.probabilityUp)
    expect(behind.engine.predict('BTC', opensS)?.abstain).toBe(true)
  })

  test('an old average does not make a prediction, a fresh one does', () => {
    const [silent, stale, fresh] = [blankModel(), blankModel(), blankModel()].map(beforeOpening)
    const say = (world: EngineWorld | undefined) => world?.engine.predict('BTC', opensS)?.probabilityUp
    const at = endOf(WARM + 5) - 10_000
    stale?.oracle('BTC', 'twap_60s', at - 120_000, 50)
    fresh?.oracle('BTC', 'twap_60s', at, candleOf('BTC', WARM + 5).close * 0.999)
    expect(say(stale)).toBe(say(silent))
    expect(say(fresh)).toBeGreaterThan((say(silent) ?? 1) + 0.1)
  })

  test('leaves every later signal bit by bit what it would have been', () => {
    const [asked, calm] = [beforeOpening(), beforeOpening()]
    for (let minute = WARM + 5; minute <= WARM + 30; minute++) {
      for (const coin of COINS) {
        asked.engine.predict(coin, opensS)
        asked.engine.predict(coin, endOf(minute) / 1000)
      }
      expect(COINS.map(asked.engine.signal)).toEqual(COINS.map(calm.engine.signal))
      closeMinute(asked, minute)
      closeMinute(calm, minute)
      expect(COINS.map(asked.engine.signal)).toEqual(COINS.map(calm.engine.signal))
    }
    expect(probabilities(calm)).not.toContain(undefined)
  })
})
