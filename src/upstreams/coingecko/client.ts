import type { Upstream } from '../upstream.ts'
import { type GlobalMarket, GlobalReply } from './wire.ts'

/** Some sixty currencies, each twice. */
const MAX_BYTES = 64 * 1024

export type CoinGecko = {
  /** The whole market: its worth, and the share of each coin in it. */
  global(): Promise<GlobalMarket>
}

export function createCoinGecko({ ask }: Pick<Upstream, 'ask'>): CoinGecko {
  return { global: () => ask({ path: '/global', schema: GlobalReply, maxBytes: MAX_BYTES }) }
}

/** The header of a free key. Without one fewer requests are answered. */
export const coinGeckoHeaders = (key: string | undefined): Readonly<Record<string, string>> | undefined =>
  key === undefined ? undefined : { 'x-cg-demo-api-key': key }
