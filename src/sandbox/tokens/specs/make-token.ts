import { WETH } from '../known-addresses.ts'
import { simAddress } from '../sim-address.ts'
import type { TokenSpec } from './token-spec.ts'

export const V3 = 'uniswap-v3-base'
export const V4 = 'uniswap-v4-base'
export const AERODROME = 'aerodrome-slipstream'
export const date = (year: number, month: number, day: number) => Date.UTC(year, month - 1, day, 12)

type Draft = Partial<TokenSpec> & Pick<TokenSpec, 'key'> & { priceUsd?: number; volPerMinute?: number }

/** What is not said is that of a small honest token. */
export function makeToken({ key, priceUsd = 0.01, volPerMinute = 15e-4, ...rest }: Draft): TokenSpec {
  return {
    key,
    address: simAddress(`token/${key}`),
    name: key,
    symbol: key.toUpperCase(),
    decimals: 18,
    supply: 1_000_000_000,
    createdMs: date(2025, 3, 1),
    course: { follows: 'nobody', priceUsd, volPerMinute },
    inPools: 0.06,
    holderCount: 4_000,
    turnover: 0.6,
    pools: [{ dex: V3, quote: WETH }],
    ...rest,
  }
}
