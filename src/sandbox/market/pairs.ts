import { COINS, type Coin } from '../../core/coin.ts'
import { type Candles, createCandles } from './candles/candles.ts'
import { createSyntheticCandles } from './candles/synthetic-candle.ts'
import { type Instrument, instrumentOf, SIM_VENUES, type SimVenue, toPrice, toSize } from './instrument.ts'
import { createPairMarket, type PairInput, type PairMarket } from './pair-market.ts'
import type { SimTrade } from './sim-events.ts'
import { createTradeLog, type TradeLog } from './trade-log.ts'

/** One pair of one venue. */
type Pair = { instrument: Instrument; market: PairMarket; log: TradeLog; candles: Candles }

export type Pairs = {
  all: readonly Pair[]
  find(venue: SimVenue, coin: Coin): Pair
  record(trade: SimTrade): void
}

export function createPairs(input: PairInput): Pairs {
  const { seed, latent, startMs, btcOrdersPerSecond } = input
  const all = SIM_VENUES.flatMap((venue) =>
    COINS.map((coin): Pair => {
      const instrument = instrumentOf(venue, coin)
      const synthesize = createSyntheticCandles(seed, latent, instrument, btcOrdersPerSecond)
      return {
        instrument,
        market: createPairMarket(input, instrument),
        log: createTradeLog(),
        candles: createCandles({ tradesFromMs: startMs, synthesize }),
      }
    }),
  )
  const byName = new Map(all.map((pair) => [`${pair.instrument.venue}/${pair.instrument.coin}`, pair]))
  const find = (venue: SimVenue, coin: Coin) => {
    const pair = byName.get(`${venue}/${coin}`)
    if (!pair) throw new RangeError(`no pair of ${coin} on ${venue}`)
    return pair
  }
  return {
    all,
    find,
    record(trade) {
      const { instrument, log, candles } = find(trade.venue, trade.coin)
      log.push(trade)
      candles.apply(trade, toPrice(instrument, trade.priceTicks), toSize(instrument, trade.lots))
    },
  }
}
