import { z } from 'zod'
import { brokenRows, readRows, type Skipped } from '../wire/list.ts'
import { maybeNumber } from '../wire/number.ts'
import {
  chainId,
  changePercent,
  claimedUsd,
  maybeCount,
  maybePriceUsd,
  maybeUsd,
  toChainId,
} from '../wire/on-chain.ts'
import { wireArray, wireText } from '../wire/text.ts'
import { maybeTime } from '../wire/time.ts'
import { orUnknown, shownWords } from '../wire/unknown.ts'

const MAX_POOLS = 100
const MAX_INCLUDED = 500
const MAX_NAME_CHARS = 200
const MAX_REF_CHARS = 300
const MAX_DECIMALS = 255

export const GECKO_SPANS = ['m5', 'm15', 'm30', 'h1', 'h6', 'h24'] as const
export type GeckoSpan = (typeof GECKO_SPANS)[number]

/** `base_0x…`: a network and an address there. The network may have underscores itself, the address has none. */
export const reference = () =>
  wireText(MAX_REF_CHARS, 3).transform((id, { issues }) => {
    const at = id.lastIndexOf('_')
    if (at > 0 && at < id.length - 1)
      return { network: id.slice(0, at), address: toChainId(id.slice(at + 1)) }
    issues.push({ code: 'custom', input: undefined, message: 'expected a network and an address' })
    return z.NEVER
  })

export const name = () => shownWords(MAX_NAME_CHARS)
export const decimals = () => orUnknown(maybeNumber({ min: 0, max: MAX_DECIMALS }))
/** Our name of a token there, such as `usd-coin`; undefined for most. */
export const coinId = () => orUnknown(wireText(MAX_NAME_CHARS, 1))

const eachSpan = <Field extends z.ZodType>(field: () => Field) =>
  z
    .object({ m5: field(), m15: field(), m30: field(), h1: field(), h6: field(), h24: field() })
    .nullish()
    .transform((spans) => spans ?? undefined)

const Trades = z.object({
  buys: maybeCount(),
  sells: maybeCount(),
  buyers: maybeCount(),
  sellers: maybeCount(),
})
const related = <Field extends z.ZodType>(id: Field) => z.object({ data: z.object({ id }) })

const PoolRow = z.object({
  id: reference(),
  attributes: z.object({
    address: chainId(),
    name: name(),
    base_token_price_usd: maybePriceUsd(),
    quote_token_price_usd: maybePriceUsd(),
    reserve_in_usd: maybeUsd(),
    fdv_usd: claimedUsd(),
    market_cap_usd: claimedUsd(),
    pool_created_at: orUnknown(maybeTime()),
    price_change_percentage: eachSpan(changePercent),
    volume_usd: eachSpan(maybeUsd),
    transactions: orUnknown(eachSpan(() => orUnknown(Trades))),
    community_sus_report: maybeCount(),
  }),
  relationships: z.object({
    base_token: related(reference()),
    quote_token: related(reference()),
    dex: orUnknown(related(wireText(MAX_NAME_CHARS, 1))),
  }),
})
type PoolRow = z.output<typeof PoolRow>

const IncludedToken = z.object({
  id: reference(),
  type: z.literal('token'),
  attributes: z.object({
    name: name(),
    symbol: name(),
    decimals: decimals(),
    coingecko_coin_id: coinId(),
  }),
})
type IncludedToken = z.output<typeof IncludedToken>

/** A token of a pool. Its name and symbol are empty where they were not sent along. */
export type GeckoPoolToken = {
  network: string
  address: string
  name: string
  symbol: string
  decimals: number | undefined
  coinId: string | undefined
}
export type GeckoTrades = z.output<typeof Trades>

/** A pool as GeckoTerminal tells of it. */
export type GeckoPool = {
  network: string
  /** An address, or 32 bytes for a pool of Uniswap v4. In lower case. */
  id: string
  name: string
  dex: string | undefined
  base: GeckoPoolToken
  quote: GeckoPoolToken
  basePriceUsd: number | undefined
  quotePriceUsd: number | undefined
  /** What lies in the pool. */
  liquidityUsd: number | undefined
  /** Of the base token. */
  fdvUsd: number | undefined
  marketCapUsd: number | undefined
  createdAtMs: number | undefined
  /** Of the base token's price. */
  changePercent: Readonly<Record<GeckoSpan, number | undefined>>
  volumeUsd: Readonly<Record<GeckoSpan, number | undefined>>
  trades: Readonly<Record<GeckoSpan, GeckoTrades | undefined>>
  /** How many users reported it as suspicious. */
  reports: number | undefined
}
export type GeckoPools = { pools: readonly GeckoPool[]; skipped: Skipped }

/** Lists of pools: trending ones, new ones, those of a token. */
export const PoolsReply = z
  .object({
    data: wireArray(z.unknown(), MAX_POOLS),
    included: wireArray(z.unknown(), MAX_INCLUDED).nullish(),
  })
  .transform(({ data, included }, { issues }): GeckoPools => {
    const { rows, skipped, isBroken } = readRows(data, PoolRow)
    if (isBroken) issues.push(brokenRows(skipped))
    const tokens = readIncluded(included ?? [])
    return { pools: rows.map((row) => toPool(row, tokens)), skipped }
  })

type Tokens = ReadonlyMap<string, IncludedToken>

/** Exchanges and networks are included, too: what is no token is left out. */
function readIncluded(included: readonly unknown[]): Tokens {
  const { rows } = readRows(included, IncludedToken)
  return new Map(rows.map((token) => [keyOf(token.id), token]))
}

const keyOf = ({ network, address }: { network: string; address: string }) => `${network}_${address}`

function toPoolToken(id: PoolRow['id'], tokens: Tokens): GeckoPoolToken {
  const token = tokens.get(keyOf(id))?.attributes
  return {
    ...id,
    name: token?.name ?? '',
    symbol: token?.symbol ?? '',
    decimals: token?.decimals,
    coinId: token?.coingecko_coin_id,
  }
}

const UNKNOWN_SPANS = {
  m5: undefined,
  m15: undefined,
  m30: undefined,
  h1: undefined,
  h6: undefined,
  h24: undefined,
}

function toPool({ id, attributes, relationships }: PoolRow, tokens: Tokens): GeckoPool {
  return {
    network: id.network,
    id: attributes.address,
    name: attributes.name,
    dex: relationships.dex?.data.id,
    base: toPoolToken(relationships.base_token.data.id, tokens),
    quote: toPoolToken(relationships.quote_token.data.id, tokens),
    basePriceUsd: attributes.base_token_price_usd,
    quotePriceUsd: attributes.quote_token_price_usd,
    liquidityUsd: attributes.reserve_in_usd,
    fdvUsd: attributes.fdv_usd,
    marketCapUsd: attributes.market_cap_usd,
    createdAtMs: attributes.pool_created_at,
    changePercent: attributes.price_change_percentage ?? UNKNOWN_SPANS,
    volumeUsd: attributes.volume_usd ?? UNKNOWN_SPANS,
    trades: attributes.transactions ?? UNKNOWN_SPANS,
    reports: attributes.community_sus_report,
  }
}
