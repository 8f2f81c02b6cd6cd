import { z } from 'zod'
import { type Coin, findCoin } from '../../core/coin.ts'
import { readRows, type Skipped } from '../wire/list.ts'
import { maybeNumber, wireFlag, wireNumber } from '../wire/number.ts'
import { wireArray, wireText } from '../wire/text.ts'
import { maybeTime, wireTime } from '../wire/time.ts'
import { orUnknown } from '../wire/unknown.ts'

// CoinLobster documents its public API on its site only; these are the fields that its replies were seen to have.

const MAX_ROWS = 500
const MAX_NAME_CHARS = 60
const MAX_ID_CHARS = 120
const MAX_USD = 1e12
const MAX_COUNT = 1e9
/** Price times size and the amount in dollars are told apart; where they differ by more, one of them is wrong. */
const MAX_AMOUNT_DIFFERENCE = 0.05

const positive = () => wireNumber({ min: 1e-12, max: MAX_USD })
/** Letters, digits and what stands between words: nothing that a page or a terminal would act on. */
const name = () => wireText(MAX_NAME_CHARS, 1).regex(/^[\p{L}\p{N} ._:/()&+-]+$/u, 'expected a name')

const ID = /^[\p{L}\p{N} ._:/()&+#-]+$/u

const WhaleRow = z
  .object({
    tradeId: orUnknown(z.union([wireText(MAX_ID_CHARS, 1).regex(ID), z.number().nonnegative()])),
    pair: wireText(MAX_NAME_CHARS, 1),
    exchange: name(),
    exchangeType: orUnknown(name().nullish()),
    price: positive(),
    quantity_base: positive(),
    quantity_quote: orUnknown(maybeNumber({ min: 0, max: MAX_USD })),
    isBuy: wireFlag(),
    timestamp: wireTime(),
  })
  .transform((row, { issues }) => {
    const worth = row.price * row.quantity_base
    const usd = row.quantity_quote || worth
    if (!(Math.abs(usd - worth) <= MAX_AMOUNT_DIFFERENCE * worth))
      issues.push({ code: 'custom', input: undefined, message: 'price, size and amount do not fit together' })
    return {
      id: String(row.tradeId ?? `${row.timestamp}-${row.price}-${row.quantity_base}`),
      pair: row.pair.toUpperCase(),
      exchange: row.exchange,
      isFutures: /futures?|perp|swap/i.test(row.exchangeType ?? row.exchange),
      side: row.isBuy ? ('buy' as const) : ('sell' as const),
      price: row.price,
      size: row.quantity_base,
      usd,
      atMs: row.timestamp,
    }
  })

/** A large trade of one of our coins against the dollar or a coin that is worth one. */
export type WhaleTrade = Omit<z.output<typeof WhaleRow>, 'pair'> & { coin: Coin; isDelayed: boolean }
export type WhaleList = { trades: readonly WhaleTrade[]; skipped: Skipped }

/** `/api/public/crypto-whales`: `others` have no place here and are no fault. */
export const WhalesReply = z
  .object({ whales: wireArray(z.unknown(), MAX_ROWS) })
  .transform(({ whales }, { issues }): WhaleList => {
    const { rows, skipped, isBroken } = readRows(whales, WhaleRow)
    if (isBroken)
      issues.push({
        code: 'custom',
        input: undefined,
        message: `${skipped.count} rows break the format: ${skipped.reasons[0]}`,
      })
    return { trades: rows.flatMap(toWhaleTrade), skipped }
  })

const DOLLARS: ReadonlySet<string> = new Set(['USD', 'USDT', 'USDC', 'FDUSD'])

function toWhaleTrade({ pair, ...row }: z.output<typeof WhaleRow>): WhaleTrade[] {
  const [base = '', quote = ''] = pair.split(/[/_-]/)
  const coin = findCoin(base)
  // Only this pair is live without a key; all others are told a quarter of an hour late.
  return coin && DOLLARS.has(quote) ? [{ ...row, coin, isDelayed: pair !== 'BTC/USD' }] : []
}

const usd = () => wireNumber({ min: 0, max: MAX_USD })
const CoinRow = z
  .object({
    base: name(),
    longUsd: usd(),
    shortUsd: usd(),
    count: wireNumber({ min: 0, max: MAX_COUNT }),
  })
  .transform(({ base, ...row }) => ({ base, ...row }))

/** Positions closed by force in the last 24 hours, over the exchanges that tell CoinLobster of them. */
export type LiquidationTotals = {
  asOfMs: number
  longUsd: number
  shortUsd: number
  count: number
  /** Of our coins, those among the eight with the most. */
  coins: readonly { coin: Coin; longUsd: number; shortUsd: number; count: number }[]
}

/** `/api/public/liquidations`. */
export const LiquidationsReply = z
  .object({
    available: orUnknown(wireFlag()),
    as_of: orUnknown(maybeTime()),
    timestamp: orUnknown(maybeTime()),
    perp_liquidations: z.object({
      window: z.literal('24h'),
      long_usd: usd(),
      short_usd: usd(),
      count: wireNumber({ min: 0, max: MAX_COUNT }),
      top_coins: wireArray(z.unknown(), MAX_ROWS).nullish(),
    }),
  })
  .transform(({ as_of, timestamp, perp_liquidations: perp }, { issues }): LiquidationTotals => {
    const asOfMs = as_of ?? timestamp
    if (asOfMs === undefined)
      issues.push({ code: 'custom', input: undefined, message: 'as_of: expected a time' })
    return {
      asOfMs: asOfMs ?? 0,
      longUsd: perp.long_usd,
      shortUsd: perp.short_usd,
      count: perp.count,
      coins: readRows(perp.top_coins ?? [], CoinRow).rows.flatMap(({ base, ...totals }) => {
        const coin = findCoin(base)
        return coin ? [{ coin, ...totals }] : []
      }),
    }
  })
