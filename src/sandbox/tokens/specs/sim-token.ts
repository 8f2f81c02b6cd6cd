import { simAddress, simHash } from '../sim-address.ts'
import type { SimPool, SimToken } from '../token-world.ts'
import { unitsOf } from '../units.ts'
import { HONEST, type TokenSpec } from './token-spec.ts'

/** The token as its specification says; `traits` that are not named are those of an honest one. */
export function toSimToken(spec: TokenSpec): SimToken {
  const creator = simAddress(`creator/${spec.key}`)
  return {
    address: spec.address,
    name: spec.name,
    symbol: spec.symbol,
    decimals: spec.decimals,
    totalSupply: unitsOf(spec.supply, spec.decimals),
    createdMs: spec.createdMs,
    creator,
    owner: spec.isOwned ? creator : undefined,
    traits: { ...HONEST, ...spec.traits },
    pools: spec.pools.map((pool, i) => toPool(spec, pool, i)),
    ruggedAtMs: spec.ruggedAtMs,
  }
}

const POOL_OPENS_AFTER_MS = 60_000

function toPool(spec: TokenSpec, { dex, quote }: TokenSpec['pools'][number], index: number): SimPool {
  const name = `pool/${spec.key}/${index}`
  const id = dex === 'uniswap-v4-base' ? simHash(name) : simAddress(name)
  return { id, dex, quote, token: spec.address, createdMs: spec.createdMs + POOL_OPENS_AFTER_MS * index }
}
