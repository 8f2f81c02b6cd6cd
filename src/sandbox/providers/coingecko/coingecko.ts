import { DAY_MS, MINUTE_MS } from '../../../core/time/time.ts'
import type { SimulatedMarket } from '../../market/simulated-market.ts'
import { NOBODY, type ProviderServer } from '../provider-server.ts'
import { ok, readOnly } from '../reply.ts'
import { type WholeMarket, wholeMarketAt } from './whole-market.ts'

const BASE = '/api/v3'
const EUR_USD = 1.16
const SATS = 1e8
const LISTED = 10

/** CoinGecko's free API, as far as the whole market goes. Figures are of the last whole minute. */
export function createCoinGeckoServer({
  latent,
  nowMs,
}: Pick<SimulatedMarket, 'latent' | 'nowMs'>): ProviderServer {
  const at = createKept((ms) => wholeMarketAt(latent, ms))
  return {
    ...NOBODY,
    rest: readOnly((path) => {
      if (path === `${BASE}/ping`) return ok({ gecko_says: '(V3) To the Moon!' })
      if (path !== `${BASE}/global`) return undefined
      const minuteMs = Math.floor(nowMs() / MINUTE_MS) * MINUTE_MS
      const usd = latent.logPrice('coinbase', 'BTC', minuteMs)
      const eth = latent.logPrice('coinbase', 'ETH', minuteMs)
      const prices = { btcUsd: Math.exp(usd), ethUsd: Math.exp(eth) }
      return ok({ data: toGlobal(at(minuteMs), at(minuteMs - DAY_MS), prices, minuteMs) })
    }),
  }
}

type Prices = { btcUsd: number; ethUsd: number }

function toGlobal(now: WholeMarket, before: WholeMarket, prices: Prices, atMs: number) {
  const shares = Object.entries(now.caps)
    .filter(([name]) => name !== 'rest')
    .sort(([, a], [, b]) => b - a)
    .slice(0, LISTED)
    .map(([name, usd]) => [name, (usd / now.capUsd) * 100])
  return {
    active_cryptocurrencies: 12,
    upcoming_icos: 0,
    ongoing_icos: 0,
    ended_icos: 0,
    markets: 2,
    total_market_cap: inCurrencies(now.capUsd, prices),
    total_volume: inCurrencies(now.volumeUsd, prices),
    market_cap_percentage: Object.fromEntries(shares),
    market_cap_change_percentage_24h_usd: changePercent(now.capUsd, before.capUsd),
    volume_change_percentage_24h_usd: changePercent(now.volumeUsd, before.volumeUsd),
    updated_at: atMs / 1000,
  }
}

const changePercent = (now: number, before: number) => (now / before - 1) * 100

const inCurrencies = (usd: number, { btcUsd, ethUsd }: Prices) => ({
  btc: usd / btcUsd,
  eth: usd / ethUsd,
  usd,
  eur: usd / EUR_USD,
  sats: (usd / btcUsd) * SATS,
})

/** The newest two: of this minute and of the same one yesterday. */
function createKept(make: (ms: number) => WholeMarket): (ms: number) => WholeMarket {
  const kept = new Map<number, WholeMarket>()
  return (ms) => {
    const found = kept.get(ms) ?? make(ms)
    kept.set(ms, found)
    for (const old of kept.keys()) if (kept.size > 2) kept.delete(old)
    return found
  }
}
