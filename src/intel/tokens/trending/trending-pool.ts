import type { GeckoPool } from '../../../upstreams/geckoterminal/pool-wire.ts'
import { isGenuine } from '../risk/imitation.ts'
import { shownName } from '../shown-name.ts'

/** A pool that many trade in. Its token is the one that is bought and sold, not the money it is paid with. */
export type TrendingPool = {
  id: string
  dex: string | undefined
  token: { address: string; name: string; symbol: string }
  priceUsd: number
  /** In percent. */
  change24h: number
  volumeUsd24h: number
  volumeUsd1h: number | undefined
  liquidityUsd: number | undefined
  fdvUsd: number | undefined
  createdMs: number | undefined
  buys24h: number | undefined
  sells24h: number | undefined
  /** Of the last hour where there are any, else of the day. */
  buyers: number | undefined
  sellers: number | undefined
  /** Different buyers and sellers of a day. */
  traders24h: number | undefined
  /** How many users of the source report it as suspicious. */
  reports: number | undefined
}

const UNNAMED = 'unnamed'
/** It spoke to the model that reads it. */
const WITHHELD = 'withheld'

/**
 * Undefined for money itself, which is always traded most, and where the price, its change or the volume is not known:
 * what trends is known by these.
 */
export function toTrendingPool(pool: GeckoPool): TrendingPool | undefined {
  const { base, trades, volumeUsd } = pool
  const [priceUsd, change24h, volumeUsd24h] = [pool.basePriceUsd, pool.changePercent.h24, volumeUsd.h24]
  if (isGenuine(base.address)) return undefined
  if (priceUsd === undefined || change24h === undefined || volumeUsd24h === undefined) return undefined
  const day = trades.h24
  const hour = sum(trades.h1?.buyers, trades.h1?.sellers) ? trades.h1 : day
  return {
    id: pool.id,
    dex: pool.dex,
    token: { address: base.address, ...toNames(base) },
    priceUsd,
    change24h,
    volumeUsd24h,
    volumeUsd1h: volumeUsd.h1,
    liquidityUsd: pool.liquidityUsd,
    fdvUsd: pool.fdvUsd,
    createdMs: pool.createdAtMs,
    buys24h: day?.buys,
    sells24h: day?.sells,
    buyers: hour?.buyers,
    sellers: hour?.sellers,
    traders24h: sum(day?.buyers, day?.sellers),
    reports: pool.reports,
  }
}

function toNames(base: GeckoPool['base']): { name: string; symbol: string } {
  const { name, symbol, isWithheld } = shownName(base)
  const instead = isWithheld ? WITHHELD : UNNAMED
  return { name: name ?? instead, symbol: symbol ?? instead }
}

const sum = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? undefined : a + b
