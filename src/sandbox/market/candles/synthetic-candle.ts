import { createDraws, createRandomStream } from '../../../core/math/random.ts'
import { MINUTE_MS } from '../../../core/time/time.ts'
import { buyShare, MEAN_ORDER_USD, ordersPerSecond } from '../books/order-flow.ts'
import { COIN_MODELS, type Instrument, toPrice } from '../instrument.ts'
import { COINBASE_LAG_MS, type Latent } from '../latent/latent.ts'
import type { SimCandle } from '../sim-events.ts'

/** Fills per order on average, measured on candles made from trades. */
const TRADES_PER_ORDER = 2
const VOLUME_SD = 0.25
/** Volatility and flow change slowly: sampling them every few seconds is enough. */
const ACTIVITY_STEP_S = 5

/**
 * A candle from before the simulation started, when no orders were simulated: prices come from the hidden path,
 * volume and the buyers' share from that minute's volatility and order flow.
 */
export function createSyntheticCandles(
  seed: string,
  latent: Latent,
  instrument: Instrument,
  btcOrdersPerSecond: number,
): (openMs: number) => SimCandle {
  const { venue, coin } = instrument
  const draws = createDraws(createRandomStream(seed, `imagined/${venue}/${coin}`))
  const scale = 10 ** instrument.priceDecimals
  // Coinbase's lag is ignored: it hardly changes a candle, and prices at whole seconds are cheaper to compute.
  const lagMs = venue === 'coinbase' ? COINBASE_LAG_MS : 0
  const logPriceAt = (atMs: number) => latent.logPrice(venue, coin, atMs + lagMs)
  const toTicks = (logPrice: number) => Math.round(Math.exp(logPrice) * scale)
  const secondVol = COIN_MODELS[coin].volPerMinute / Math.sqrt(60)
  return (openMs) => {
    let high = Number.NEGATIVE_INFINITY
    let low = Number.POSITIVE_INFINITY
    let orders = 0
    let bought = 0
    for (let atMs = openMs; atMs < openMs + MINUTE_MS; atMs += 1000) {
      const logPrice = logPriceAt(atMs)
      high = Math.max(high, logPrice)
      low = Math.min(low, logPrice)
    }
    for (let atMs = openMs; atMs < openMs + MINUTE_MS; atMs += ACTIVITY_STEP_S * 1000) {
      const second = Math.floor(atMs / 1000)
      const perSecond = ordersPerSecond(instrument, btcOrdersPerSecond, latent.vol(coin, second) / secondVol)
      orders += perSecond * ACTIVITY_STEP_S
      bought += perSecond * ACTIVITY_STEP_S * buyShare(latent.flow(coin, second))
    }
    draws.seek((openMs / MINUTE_MS) * 8)
    const quote = orders * MEAN_ORDER_USD * Math.exp(VOLUME_SD * draws.normal() - VOLUME_SD ** 2 / 2)
    const price = toPrice(instrument, toTicks((high + low) / 2))
    const lots = Math.max(1, Math.round((quote / price) * 10 ** instrument.sizeDecimals))
    const share = orders > 0 ? bought / orders : 0.5
    return {
      openMs,
      openTicks: toTicks(logPriceAt(openMs)),
      highTicks: toTicks(high),
      lowTicks: toTicks(low),
      closeTicks: toTicks(logPriceAt(openMs + MINUTE_MS - 1000)),
      lots,
      takerLots: Math.round(lots * share),
      quote,
      takerQuote: quote * share,
      trades: Math.max(1, Math.round(orders * TRADES_PER_ORDER)),
      firstTradeId: -1,
      lastTradeId: -1,
    }
  }
}
