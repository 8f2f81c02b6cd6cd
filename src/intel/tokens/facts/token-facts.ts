import type { Clock } from '../../../core/time/clock.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../core/time/time.ts'
import type { GeckoPrice } from '../../../upstreams/geckoterminal/wire.ts'
import type { TokenSecurity } from '../../../upstreams/goplus/wire.ts'
import type { Simulation } from '../../../upstreams/honeypot/wire.ts'
import { createKeyedSource, type KeyedSource } from '../../../upstreams/keyed-source.ts'
import type { Aged } from '../../../upstreams/source.ts'
import { type Ages, denied, type Part, readPart } from '../../part.ts'
import type { TokenSource } from '../token-analysis.ts'
import { type DexMarket, toDexMarket } from './dex-market.ts'
import type { ChainHolders, ContractFacts, TokenPorts } from './token-ports.ts'

/** What every source says of one token. A source that does not have the token is missing, as is one that cannot answer. */
export type TokenFacts = {
  market: Part<DexMarket>
  price: Part<GeckoPrice>
  security: Part<TokenSecurity>
  simulation: Part<Simulation>
  holders: Part<ChainHolders>
  contract: Part<ContractFacts>
}
type FactName = keyof TokenFacts
type ValueOf<Name extends FactName> = NonNullable<TokenFacts[Name]['value']>

export type TokenFactsReader = {
  /** Never rejects, and waits no longer than `FACTS_WAIT_MS`. */
  read(address: string): Promise<TokenFacts>
  /** One fact alone. */
  readOne<Name extends FactName>(name: Name, address: string): Promise<Part<ValueOf<Name>>>
  /** The same until one of the facts changes; while one is missing or has to be read anew, for a second at most. */
  stateOf(names: readonly FactName[], address: string): unknown
}

/** The longest that a request waits for all of them together: they are asked at the same time. */
export const FACTS_WAIT_MS = 2_500
/** Tokens whose facts are kept, per source. */
const KEPT_TOKENS = 2_000

/** Prices are served so long while new ones are read. Products sell none that is older than a minute. */
const PRICE_AGES: Ages = { freshMs: 20 * SECOND_MS, hardMs: 45 * SECOND_MS }

export const TOKEN_FACTS: Readonly<Record<FactName, { source: TokenSource; ages: Ages }>> = {
  market: { source: 'dexscreener', ages: PRICE_AGES },
  price: { source: 'geckoterminal', ages: PRICE_AGES },
  // The code of a contract seldom changes; what its owner has switched on may.
  security: { source: 'goplus', ages: { freshMs: 10 * MINUTE_MS, hardMs: 6 * HOUR_MS } },
  // Selling can be switched off from one block to the next.
  simulation: { source: 'honeypot.is', ages: { freshMs: 5 * MINUTE_MS, hardMs: 30 * MINUTE_MS } },
  holders: { source: 'blockscout', ages: { freshMs: 10 * MINUTE_MS, hardMs: 2 * HOUR_MS } },
  contract: { source: 'base_node', ages: { freshMs: HOUR_MS, hardMs: DAY_MS } },
}
export const FACT_NAMES = Object.keys(TOKEN_FACTS) as readonly FactName[]

type Ports = { ports: TokenPorts; clock: Clock; random: () => number }

export function createTokenFacts({ ports, clock, random }: Ports): TokenFactsReader {
  const keyed = <T>(name: FactName, fetch: (address: string) => Promise<T>): KeyedSource<T> => {
    const { freshMs, hardMs } = TOKEN_FACTS[name].ages
    return createKeyedSource({ clock, random, softMs: freshMs, hardMs, capacity: KEPT_TOKENS, fetch })
  }
  const sources: { [Name in FactName]: KeyedSource<ValueOf<Name> | undefined> } = {
    market: keyed('market', async (address) => toDexMarket(address, await ports.pairs(address))),
    price: keyed('price', ports.geckoPrice),
    security: keyed('security', ports.security),
    simulation: keyed('simulation', ports.simulation),
    holders: keyed('holders', ports.holders),
    contract: keyed('contract', ports.contract),
  }
  const readOne = async <Name extends FactName>(name: Name, address: string) => {
    const limited = { ...TOKEN_FACTS[name], clock, limitMs: FACTS_WAIT_MS }
    return orNotThere(await readPart({ ...limited, read: () => sources[name].read(address) }))
  }
  return {
    async read(address) {
      const [market, price, security, simulation, holders, contract] = await Promise.all([
        readOne('market', address),
        readOne('price', address),
        readOne('security', address),
        readOne('simulation', address),
        readOne('holders', address),
        readOne('contract', address),
      ])
      return { market, price, security, simulation, holders, contract }
    },
    readOne,
    stateOf(names, address) {
      const nowMs = clock.now()
      const isFresh = ({ asOfMs }: Aged<unknown>, name: FactName) =>
        nowMs - asOfMs <= TOKEN_FACTS[name].ages.freshMs
      const found = names.map((name) => ({ name, last: sources[name].last(address) }))
      const times = found.map(({ last }) => last?.asOfMs).join()
      // Else every request would ask again for what is not there.
      const isWhole = found.every(({ name, last }) => last !== undefined && isFresh(last, name))
      return isWhole ? times : `${times}/${Math.floor(nowMs / SECOND_MS)}`
    },
  }
}

function orNotThere<T>(part: Part<T | undefined>): Part<NonNullable<T>> {
  if (part.status === 'missing') return part
  const { source, status, value, asOfMs } = part
  if (value === undefined || value === null) return denied(source)
  return { source, status, value, asOfMs }
}
