import { COINS, type Coin, mapCoins } from '../../src/core/coin.ts'
import { MINUTE_MS } from '../../src/core/time/time.ts'
import type { FeedSink } from '../../src/feeds/events.ts'
import { teeSink } from '../../src/feeds/tee-sink.ts'
import type { Candle } from '../../src/market/candles.ts'
import type { SimulatedMarket } from '../../src/sandbox/market/simulated-market.ts'
import { SIGNAL_VENUE } from '../../src/signals/history/minute-source.ts'
import { createSignalEngine, type SignalEngine } from '../../src/signals/live/engine.ts'
import { loadModel } from '../../src/signals/model/load-model.ts'
import type { World } from './world.ts'

/** As in the minute indicators: the only readings that are of closed minutes alone. */
const OF_MINUTES = ['rsi', 'macd', 'bollinger', 'rateOfChange'] as const
/** Volumes are summed in another order than at the venue. */
const EXACT = 1e-9
/** Replies show four decimals. A minute that was taken without another coin leaves a trace of a millionth in what is learned. */
const SHOWN = 5e-5
/** How long after a minute's end its candle may be on its way without the signal saying so. */
const ON_ITS_WAY_MS = 6_000

/** Two engines that hear the same events: one reads minutes from the market, the other from the venue itself. */
export type Comparison = {
  spy(sink: FeedSink, world: Pick<World, 'market' | 'clock' | 'simulation'>): FeedSink
  /** Notes every signal that is sold as whole and says something else than the venue's own minutes would. */
  look(): void
  /** The same of the prediction for the window that opens at `windowStartS`. */
  lookAtPrediction(windowStartS: number): void
  readonly subject: SignalEngine
  readonly wrong: readonly string[]
  readonly counts: { compared: number; abstained: number; missing: number; predicted: number; missed: number }
  stop(): void
}

export function compareWithVenue(): Comparison {
  let subject: SignalEngine | undefined
  let truth: SignalEngine | undefined
  let now = () => 0
  const wrong: string[] = []
  const counts = { compared: 0, abstained: 0, missing: 0, predicted: 0, missed: 0 }
  let before = mapCoins((): number[] => [])
  let held = mapCoins((): number[] => [])
  let heldMinute = 0

  const note = (what: string, coin: Coin, said: readonly number[], true_: readonly number[]) =>
    void wrong.push(`${new Date(now()).toISOString()} ${coin} ${what}: ${said} instead of ${true_}`)
  const readingsOf = (engine: SignalEngine | undefined, coin: Coin) => {
    const signal = engine?.signal(coin)
    return (
      signal && [signal.probabilityUp, ...OF_MINUTES.map((name) => signal.indicators[name] ?? Number.NaN)]
    )
  }
  return {
    spy(sink, { market, clock, simulation }) {
      now = clock.now
      const model = loadModel()
      subject = createSignalEngine({ clock, market, model })
      const firstMs = (count: number) => market.candles(SIGNAL_VENUE, 'BTC', count)[0]?.openMs ?? clock.now()
      truth = createSignalEngine({
        clock,
        market: { candles: (_, coin, count) => venueCandles(simulation, coin, count, firstMs(count)) },
        model,
      })
      return teeSink(sink, subject.sink, truth.sink)
    },
    look() {
      const minute = Math.floor(now() / MINUTE_MS)
      if (minute !== heldMinute) {
        before = held
        heldMinute = minute
      }
      for (const coin of COINS) {
        const said = readingsOf(subject, coin)
        const known = readingsOf(truth, coin) ?? []
        held = { ...held, [coin]: known }
        if (!said) {
          counts.missing++
          continue
        }
        const isEarly = now() % MINUTE_MS <= ON_ITS_WAY_MS
        // The minute before is what closed minutes say until the newest has come.
        const isOld = isEarly && (before[coin].length === 0 || areEqual(said.slice(1), before[coin].slice(1)))
        if (isSame(said, known) || isOld) counts.compared++
        else if (subject?.signal(coin)?.abstain) counts.abstained++
        else note('signal', coin, said, known)
      }
    },
    lookAtPrediction(windowStartS) {
      for (const coin of COINS) {
        const said = subject?.predict(coin, windowStartS)
        const known = truth?.predict(coin, windowStartS)?.probabilityUp ?? Number.NaN
        if (!said) counts.missed++
        else if (isSame([said.probabilityUp], [known])) counts.predicted++
        else if (said.abstain) counts.missed++
        else note('prediction', coin, [said.probabilityUp], [known])
      }
    },
    get subject() {
      if (!subject) throw new Error('not started')
      return subject
    },
    wrong,
    counts,
    stop() {
      subject?.stop()
      truth?.stop()
    },
  }
}

/** The first is the probability, the others are readings of closed minutes. */
function isSame([probability = 0, ...some]: readonly number[], [known = 1, ...others]: readonly number[]) {
  return Math.abs(probability - known) < SHOWN && areEqual(some, others)
}

function areEqual(some: readonly number[], others: readonly number[]): boolean {
  return some.every((value, at) => {
    const other = others[at] ?? Number.NaN
    return Object.is(value, other) || Math.abs(value - other) <= EXACT * Math.max(1, Math.abs(other))
  })
}

/** The venue's own minutes up to the running one, straight from the simulation. */
function venueCandles(simulation: SimulatedMarket, coin: Coin, count: number, firstMs: number): Candle[] {
  const { priceDecimals, sizeDecimals } = simulation.instrument(SIGNAL_VENUE, coin)
  const lastMs = Math.floor(simulation.nowMs() / MINUTE_MS) * MINUTE_MS
  const candles: Candle[] = []
  const fromMs = Math.max(firstMs, lastMs - (count - 1) * MINUTE_MS)
  const [tick, lot] = [10 ** priceDecimals, 10 ** sizeDecimals]
  for (let openMs = fromMs; openMs <= lastMs; openMs += MINUTE_MS) {
    const candle = simulation.candle(SIGNAL_VENUE, coin, openMs)
    candles.push({
      openMs,
      open: candle.openTicks / tick,
      high: candle.highTicks / tick,
      low: candle.lowTicks / tick,
      close: candle.closeTicks / tick,
      volume: candle.lots / lot,
      takerBuyVolume: candle.takerLots / lot,
      trades: candle.trades,
      complete: true,
      isFinal: openMs < lastMs,
      isLost: false,
    })
  }
  return candles
}
