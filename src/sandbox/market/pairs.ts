import { ASSETS, type Asset } from '../../core/asset.ts'
import { type Candles, createCandles } from './candles/candles.ts'
import { createImaginedCandles } from './candles/imagined-candle.ts'
import { type Instrument, instrumentOf, SIM_VENUES, type SimVenue, toPrice, toSize } from './instrument.ts'
import { createPairMarket, type PairInput, type PairMarket } from './pair-market.ts'
import type { SimTrade } from './sim-events.ts'
import { createTradeLog, type TradeLog } from './trade-log.ts'

/** Everything that is known of one pair of one venue. */
type Pair = { instrument: Instrument; market: PairMarket; log: TradeLog; candles: Candles }

export type Pairs = {
  all: readonly Pair[]
  find(venue: SimVenue, asset: Asset): Pair
  record(trade: SimTrade): void
}

export function createPairs(input: PairInput): Pairs {
  const { seed, latent, startMs, btcOrdersPerSecond } = input
  const all = SIM_VENUES.flatMap((venue) =>
    ASSETS.map((asset): Pair => {
      const instrument = instrumentOf(venue, asset)
      const imagine = createImaginedCandles(seed, latent, instrument, btcOrdersPerSecond)
      return {
        instrument,
        market: createPairMarket(input, instrument),
        log: createTradeLog(),
        candles: createCandles({ seenFromMs: startMs, imagine }),
      }
    }),
  )
  const byName = new Map(all.map((pair) => [`${pair.instrument.venue}/${pair.instrument.asset}`, pair]))
  const find = (venue: SimVenue, asset: Asset) => {
    const pair = byName.get(`${venue}/${asset}`)
    if (!pair) throw new RangeError(`no pair of ${asset} on ${venue}`)
    return pair
  }
  return {
    all,
    find,
    record(trade) {
      const { instrument, log, candles } = find(trade.venue, trade.asset)
      log.push(trade)
      candles.apply(trade, toPrice(instrument, trade.priceTicks), toSize(instrument, trade.lots))
    },
  }
}
