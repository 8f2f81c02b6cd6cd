import { z } from 'zod'
import { brokenRows, readRows, type Skipped } from '../wire/list.ts'
import { maybeNumber } from '../wire/number.ts'
import { chainId, changePercent, claimedUsd, maybeCount, maybePriceUsd, maybeUsd } from '../wire/on-chain.ts'
import { wireArray, wireText } from '../wire/text.ts'
import { maybeTime } from '../wire/time.ts'
import { orUnknown, shownWords } from '../wire/unknown.ts'

const MAX_PAIRS = 1_000
const MAX_NAME_CHARS = 200
const MAX_LABELS = 20
const MAX_LINKS = 50
const MAX_PRICE_NATIVE = 1e30
const MAX_AMOUNT = 1e60

const Token = z.object({
  address: chainId(),
  name: shownWords(MAX_NAME_CHARS),
  symbol: shownWords(MAX_NAME_CHARS),
})

/** Each span may be missing, and all of them. */
const eachSpan = <Field extends z.ZodType>(field: () => Field) =>
  z
    .object({ m5: field(), h1: field(), h6: field(), h24: field() })
    .nullish()
    .transform((spans) => spans ?? UNKNOWN_SPANS)
const UNKNOWN_SPANS = { m5: undefined, h1: undefined, h6: undefined, h24: undefined }

const maybeAmount = () => orUnknown(maybeNumber({ min: 0, max: MAX_AMOUNT }))
const links = () => orUnknown(wireArray(z.unknown(), MAX_LINKS))

export const DexPair = z
  .object({
    chainId: wireText(MAX_NAME_CHARS, 1),
    dexId: wireText(MAX_NAME_CHARS, 1),
    pairAddress: chainId(),
    labels: orUnknown(wireArray(wireText(MAX_NAME_CHARS), MAX_LABELS)),
    baseToken: Token,
    quoteToken: Token,
    priceNative: orUnknown(maybeNumber({ min: 0, max: MAX_PRICE_NATIVE })),
    priceUsd: maybePriceUsd(),
    txns: eachSpan(() => orUnknown(z.object({ buys: maybeCount(), sells: maybeCount() }))),
    volume: eachSpan(maybeUsd),
    priceChange: eachSpan(changePercent),
    liquidity: z.object({ usd: maybeUsd(), base: maybeAmount(), quote: maybeAmount() }).nullish(),
    fdv: claimedUsd(),
    marketCap: claimedUsd(),
    pairCreatedAt: orUnknown(maybeTime()),
    info: orUnknown(z.object({ websites: links(), socials: links() })),
  })
  .transform((wire) => ({
    chain: wire.chainId,
    dex: wire.dexId,
    /** Such as `v2`, `v3` and `v4`. */
    labels: wire.labels ?? [],
    /** An address, or 32 bytes for a pool of Uniswap v4. In lower case. */
    id: wire.pairAddress,
    base: wire.baseToken,
    quote: wire.quoteToken,
    basePriceUsd: wire.priceUsd,
    /** Of the base token, in the quote token. */
    priceInQuote: wire.priceNative,
    quotePriceUsd: toQuotePriceUsd(wire.priceUsd, wire.priceNative),
    trades: wire.txns,
    volumeUsd: wire.volume,
    /** Of the base token's price. */
    changePercent: wire.priceChange,
    /** Undefined for pools that DexScreener cannot look into. */
    liquidityUsd: wire.liquidity?.usd,
    baseAmount: wire.liquidity?.base,
    quoteAmount: wire.liquidity?.quote,
    /** Of the base token. */
    fdvUsd: wire.fdv,
    marketCapUsd: wire.marketCap,
    createdAtMs: wire.pairCreatedAt,
    /** Sites and accounts that the token names; undefined where it has told DexScreener nothing. */
    links: wire.info && (wire.info.websites?.length ?? 0) + (wire.info.socials?.length ?? 0),
  }))
export type DexPair = z.output<typeof DexPair>
export type DexPairs = {
  pairs: readonly DexPair[]
  /** Pairs of the reply, good and bad. */
  rows: number
  skipped: Skipped
}

/** The price in the quote token says what that is worth in dollars. */
function toQuotePriceUsd(priceUsd: number | undefined, priceNative: number | undefined): number | undefined {
  const price = priceUsd !== undefined && priceNative ? priceUsd / priceNative : Number.NaN
  return Number.isFinite(price) && price > 0 ? price : undefined
}

/** `/tokens/v1/…` and `/token-pairs/v1/…`. */
export const PairsReply = wireArray(z.unknown(), MAX_PAIRS).transform((rows, { issues }): DexPairs => {
  const { rows: pairs, skipped, isBroken } = readRows(rows, DexPair)
  if (isBroken) issues.push(brokenRows(skipped))
  return { pairs, rows: rows.length, skipped }
})
