import { COINS, type Coin, findCoin } from '../../../core/coin.ts'
import { DAY_MS, HOUR_MS } from '../../../core/time/time.ts'
import type { SimulatedMarket } from '../../market/simulated-market.ts'
import { findJsonObject } from '../json-frame.ts'
import type { ProviderServer } from '../provider-server.ts'
import { json, ok, type Reply } from '../reply.ts'

const MAX_FUNDINGS = 500
const INTEREST_8H = 1e-4
const SIZE_DECIMALS: Readonly<Record<Coin, number>> = { BTC: 5, ETH: 4, SOL: 2, XRP: 0 }

/** Hyperliquid's reads: all of them are POST to one address. */
export function createHyperliquid(market: SimulatedMarket): ProviderServer {
  return {
    rest({ method, path, body }) {
      if (path !== '/info') return undefined
      if (method !== 'POST') return json(405, '')
      return answer(market, findJsonObject(body.toString('utf8')))
    },
    socketAt: () => undefined,
    close() {},
  }
}

function answer(market: SimulatedMarket, asked: Readonly<Record<string, unknown>> | undefined): Reply {
  if (asked?.type === 'metaAndAssetCtxs')
    return ok([{ universe: UNIVERSE, marginTables: [] }, COINS.map((coin) => contextOf(market, coin))])
  if (asked?.type === 'fundingHistory') return fundingHistory(market, asked)
  return json(422, 'Failed to deserialize the JSON body into the target type')
}

const UNIVERSE = COINS.map((name) => ({
  szDecimals: SIZE_DECIMALS[name],
  name,
  maxLeverage: 20,
  marginTableId: 20,
}))

function contextOf(market: SimulatedMarket, coin: Coin) {
  const found = market.perpetualVenues.at('hyperliquid', coin, market.nowMs())
  const { markPrice, indexPrice, volume24hUsd } = found
  return {
    funding: found.rate.toFixed(10),
    openInterest: found.openInterest.toFixed(SIZE_DECIMALS[coin]),
    prevDayPx: priceText(market.perpetual.at(coin, market.nowMs() - DAY_MS).markPrice),
    dayNtlVlm: volume24hUsd.toFixed(10),
    premium: (markPrice / indexPrice - 1).toFixed(10),
    oraclePx: priceText(indexPrice),
    markPx: priceText(markPrice),
    midPx: priceText(markPrice),
    impactPxs: [priceText(markPrice * (1 - 2e-5)), priceText(markPrice * (1 + 2e-5))],
    dayBaseVlm: (volume24hUsd / markPrice).toFixed(5),
  }
}

/** Oldest first, from `startTime` on. */
function fundingHistory(market: SimulatedMarket, asked: Readonly<Record<string, unknown>>): Reply {
  const { coin: name, startTime } = asked
  const coin = typeof name === 'string' ? findCoin(name) : undefined
  if (!coin || typeof startTime !== 'number' || !Number.isFinite(startTime))
    return json(422, 'Failed to deserialize')
  const lastMs = Math.floor(market.nowMs() / HOUR_MS) * HOUR_MS
  const firstMs = Math.ceil(startTime / HOUR_MS) * HOUR_MS
  const count = Math.max(0, Math.min(MAX_FUNDINGS, (lastMs - firstMs) / HOUR_MS + 1))
  return ok(
    Array.from({ length: count }, (_, index) => {
      const time = firstMs + index * HOUR_MS
      const rate = market.perpetualVenues.settled('hyperliquid', coin, time)
      return {
        coin,
        fundingRate: rate.toFixed(10),
        // What a rate of eight hours says beyond its interest.
        premium: (rate * 8 - INTEREST_8H).toFixed(10),
        time,
      }
    }),
  )
}

/** Five significant digits, and always a decimal point. */
function priceText(price: number): string {
  const text = String(Number(price.toPrecision(5)))
  return text.includes('.') ? text : `${text}.0`
}
