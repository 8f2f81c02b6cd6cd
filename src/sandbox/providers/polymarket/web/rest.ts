import { COINS } from '../../../../core/coin.ts'
import { ORACLE_DELAY_MS } from '../../../market/oracle.ts'
import type { SimulatedMarket } from '../../../market/simulated-market.ts'
import { json, ok, type Read, type Reply } from '../../reply.ts'
import { findTime } from '../wire-time.ts'

/** Where the web site takes its visitors to be. */
export type Place = { blocked: boolean; country: string; region: string }
const TWAP_S = '60'
const bad = (error: string) => json(400, { error })

/** The addresses of the web site that programs use. */
export function createWebRest(market: SimulatedMarket, place: () => Place): Read {
  return (path, query) => {
    if (path === '/api/geoblock') return ok({ ip: '127.0.0.1', ...place() })
    if (path === '/api/crypto/crypto-price') return readCryptoPrice(market, query)
    return undefined
  }
}

/** The prices that open and close a window; null until the oracle has published them. */
function readCryptoPrice(market: SimulatedMarket, query: URLSearchParams): Reply {
  const symbol = query.get('symbol')?.toUpperCase()
  const coin = COINS.find((each) => each === symbol)
  const startMs = findTime(query.get('eventStartTime'))
  const endMs = findTime(query.get('endDate'))
  if (!coin) return bad('Invalid symbol')
  if (startMs === undefined || endMs === undefined || endMs <= startMs) return bad('Invalid time range')
  const isTwap = query.get('twapEnabled') === 'true'
  if (isTwap && query.get('twapLookbackSeconds') !== TWAP_S) return bad('Invalid twapLookbackSeconds')
  const nowMs = market.nowMs()
  if (startMs < market.historyFromMs()) return bad('Invalid time range')
  const priceAt = (atMs: number) => {
    if (nowMs < atMs + ORACLE_DELAY_MS) return null
    const tick = market.oracle.at(coin, Math.floor(atMs / 1000))
    return isTwap ? tick.twap60Usd : tick.spotUsd
  }
  const closePrice = priceAt(endMs)
  return ok({
    openPrice: priceAt(startMs),
    closePrice,
    timestamp: nowMs,
    completed: closePrice !== null,
    incomplete: false,
    cached: false,
  })
}
