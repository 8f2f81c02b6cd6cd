import { BollingerBands, EMA, MACD, ROC, RSI } from 'trading-signals'
import { runCandles } from '../../src/backtest/run-candles.ts'
import type { ClosedCandle } from '../../src/signals/history/closed-candle.ts'
import { loadModel } from '../../src/signals/model/load-model.ts'
import { randomCandles } from '../../src/testing/signals/random-candles.ts'
import { type Timed, timed } from '../harness/timed.ts'

export const YEAR_MIN = 525_600
const COINS = ['own', 'a', 'b', 'c'] as const

export type CoinYear = { own: readonly ClosedCandle[]; context: readonly (readonly ClosedCandle[])[] }

export function generateYear(minutes: number): CoinYear {
  const [own = [], ...context] = COINS.map((seed) => randomCandles({ seed, count: minutes }))
  return { own, context }
}

/** Every prediction of the year, with three other coins as context. */
export function backtestYear({ own, context }: CoinYear): Timed<number> {
  const model = loadModel()
  return timed(() => {
    let predictions = 0
    let sum = 0
    for (const { probabilityUp } of runCandles({ model, candles: own, context })) {
      sum += probabilityUp
      predictions++
    }
    if (!(sum > 0 && sum < predictions)) throw new Error('the backtest came to no result')
    return predictions
  })
}

/** Four indicators of the library over the same minutes of the four coins: the least a backtest computes. */
export function libraryYear({ own, context }: CoinYear): Timed<number> {
  return timed(() => {
    let values = 0
    for (const candles of [own, ...context]) {
      const all = [
        new RSI(14),
        new MACD(new EMA(12), new EMA(26), new EMA(9)),
        new BollingerBands(20),
        new ROC(5),
      ]
      for (const { close } of candles)
        for (const each of all) if (each.update(close, false) !== null) values++
    }
    return values
  })
}
