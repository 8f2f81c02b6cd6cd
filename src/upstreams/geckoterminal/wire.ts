import { z } from 'zod'
import { brokenRows, readRows } from '../wire/list.ts'
import { maybeNumber, wireNumber } from '../wire/number.ts'
import { chainId, changePercent, claimedUsd, maybePriceUsd, maybeUsd } from '../wire/on-chain.ts'
import { wireArray } from '../wire/text.ts'
import { maybeTime, wireTime } from '../wire/time.ts'
import { orUnknown } from '../wire/unknown.ts'
import { coinId, decimals, name, reference } from './pool-wire.ts'

const MAX_CANDLES = 1_000
const MAX_PRICES = 100
const MAX_TOP_POOLS = 100
const MAX_SUPPLY = 1e60
const MAX_PRICE = 1e12

const Figures = z.record(z.string(), z.unknown())

/** Figures by address; those that break the format are left out. */
const byAddress = <Field extends z.ZodType>(field: Field) =>
  Figures.nullish().transform((figures) => toMap(field, figures ?? {}))

function toMap<Field extends z.ZodType>(field: Field, figures: z.output<typeof Figures>) {
  const found = new Map<string, NonNullable<z.output<Field>>>()
  for (const [address, value] of Object.entries(figures).slice(0, MAX_PRICES)) {
    const { data } = field.safeParse(value)
    if (data !== undefined && data !== null) found.set(address.toLowerCase(), data)
  }
  return found
}

export type GeckoPrice = {
  priceUsd: number
  marketCapUsd: number | undefined
  volume24hUsd: number | undefined
  change24hPercent: number | undefined
  /** What lies in all pools of the token. */
  liquidityUsd: number | undefined
  lastTradeMs: number | undefined
}

/** `/simple/…/token_price/{addresses}`: only tokens that have a price, by their address in lower case. */
export const PricesReply = z
  .object({
    data: z.object({
      attributes: z.object({
        token_prices: Figures.transform((figures) => toMap(maybePriceUsd(), figures)),
        market_cap_usd: byAddress(claimedUsd()),
        h24_volume_usd: byAddress(maybeUsd()),
        h24_price_change_percentage: byAddress(changePercent()),
        total_reserve_in_usd: byAddress(maybeUsd()),
        last_trade_timestamp: byAddress(maybeTime()),
      }),
    }),
  })
  .transform(({ data: { attributes } }): ReadonlyMap<string, GeckoPrice> => {
    const prices = [...attributes.token_prices].map(([address, priceUsd]): [string, GeckoPrice] => [
      address,
      {
        priceUsd,
        marketCapUsd: attributes.market_cap_usd.get(address),
        volume24hUsd: attributes.h24_volume_usd.get(address),
        change24hPercent: attributes.h24_price_change_percentage.get(address),
        liquidityUsd: attributes.total_reserve_in_usd.get(address),
        lastTradeMs: attributes.last_trade_timestamp.get(address),
      },
    ])
    return new Map(prices)
  })

/** `/networks/…/tokens/{address}`. */
export const TokenReply = z
  .object({
    data: z.object({
      id: reference(),
      attributes: z.object({
        address: chainId(),
        name: name(),
        symbol: name(),
        decimals: decimals(),
        coingecko_coin_id: coinId(),
        normalized_total_supply: orUnknown(maybeNumber({ min: 0, max: MAX_SUPPLY })),
        price_usd: maybePriceUsd(),
        fdv_usd: claimedUsd(),
        market_cap_usd: claimedUsd(),
        total_reserve_in_usd: maybeUsd(),
        volume_usd: z.object({ h24: maybeUsd() }).nullish(),
        last_trade_timestamp: orUnknown(maybeTime()),
      }),
      relationships: orUnknown(
        z.object({
          top_pools: z.object({ data: wireArray(z.object({ id: reference() }), MAX_TOP_POOLS) }),
        }),
      ),
    }),
  })
  .transform(({ data: { id, attributes, relationships } }) => ({
    network: id.network,
    address: attributes.address,
    name: attributes.name,
    symbol: attributes.symbol,
    decimals: attributes.decimals,
    coinId: attributes.coingecko_coin_id,
    /** In whole tokens. */
    totalSupply: attributes.normalized_total_supply,
    priceUsd: attributes.price_usd,
    fdvUsd: attributes.fdv_usd,
    marketCapUsd: attributes.market_cap_usd,
    /** What lies in all pools of the token. */
    liquidityUsd: attributes.total_reserve_in_usd,
    volume24hUsd: attributes.volume_usd?.h24,
    lastTradeMs: attributes.last_trade_timestamp,
    /** The largest first. */
    topPools: relationships?.top_pools.data.map((pool) => pool.id.address) ?? [],
  }))
export type GeckoToken = z.output<typeof TokenReply>

export type GeckoCandle = {
  openMs: number
  open: number
  high: number
  low: number
  close: number
  volumeUsd: number
}
const price = () => wireNumber({ min: 0, max: MAX_PRICE })

const CandleRow = z
  .tuple([wireTime(), price(), price(), price(), price(), wireNumber({ min: 0, max: 1e15 })])
  .transform(
    ([openMs, open, high, low, close, volumeUsd]): GeckoCandle => ({
      openMs,
      open,
      high,
      low,
      close,
      volumeUsd,
    }),
  )

/** `/networks/…/pools/{pool}/ohlcv/{timeframe}`, oldest first; the provider sends the newest first. Bad ones are left out. */
export const CandlesReply = z
  .object({
    data: z.object({ attributes: z.object({ ohlcv_list: wireArray(z.unknown(), MAX_CANDLES) }) }),
  })
  .transform(({ data }, { issues }): readonly GeckoCandle[] => {
    const { rows, skipped, isBroken } = readRows(data.attributes.ohlcv_list, CandleRow)
    if (isBroken) issues.push(brokenRows(skipped))
    return rows.sort((a, b) => a.openMs - b.openMs)
  })
