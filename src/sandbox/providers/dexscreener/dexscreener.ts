import type { ProviderServer } from '../provider-server.ts'
import { json, ok, readOnly } from '../reply.ts'
import type { TokenMarket } from '../token-market.ts'
import { toPair } from './pair.ts'

const MAX_ADDRESSES = 30
/** Pairs in one reply; those beyond it are left out, and with them whole tokens. */
const MAX_PAIRS = 30
const TOKENS = /^\/tokens\/v1\/base\/([^/]+)$/
const TOKEN_PAIRS = /^\/token-pairs\/v1\/base\/([^/]+)$/
const ADDRESS = /^0x[0-9a-f]{40}$/i

export function createDexScreenerServer(market: TokenMarket): ProviderServer {
  const pairsOf = (addresses: readonly string[]) => {
    const tokens = addresses.flatMap((address) => market.token(address) ?? [])
    const pools = new Map(tokens.flatMap(market.poolsOf).map((live) => [live.pool.id, live]))
    return ok([...pools.values()].slice(0, MAX_PAIRS).map((live) => toPair(live, market)))
  }
  return {
    rest: readOnly((path) => {
      const single = TOKEN_PAIRS.exec(path)?.[1]
      const listed = TOKENS.exec(path)?.[1]
      const addresses = single === undefined ? listed?.split(',') : [single]
      if (!addresses) return undefined
      if (addresses.length > MAX_ADDRESSES) return json(400, { error: `at most ${MAX_ADDRESSES} addresses` })
      return pairsOf(addresses.filter((address) => ADDRESS.test(address)))
    }),
    socketAt: () => undefined,
    close() {},
  }
}
