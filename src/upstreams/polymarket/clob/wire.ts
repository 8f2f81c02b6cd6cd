import { z } from 'zod'
import { readRows } from '../../wire/list.ts'
import { maybeFlag, maybeNumber, wireFlag, wireNumber } from '../../wire/number.ts'
import { wireArray } from '../../wire/text.ts'
import { maybeTime, wireTime } from '../../wire/time.ts'
import type { TakerFee } from '../five-minute-market.ts'
import {
  conditionId,
  maybePrice,
  maybeShares,
  shares,
  slug,
  tickSize,
  title,
  tokenId,
  tradedPrice,
} from '../venue-fields.ts'
import { Book } from './book-wire.ts'

const MAX_BOOKS = 500
const MAX_TOKENS = 100
const MAX_POINTS = 100_000

export const BooksReply = wireArray(z.unknown(), MAX_BOOKS).transform((rows) => readRows(rows, Book))

export const PriceReply = z.object({ price: tradedPrice() }).transform(({ price }) => price)
export const MidpointReply = z.object({ mid: tradedPrice() }).transform(({ mid }) => mid)
export const SpreadReply = z
  .object({ spread: wireNumber({ min: 0, max: 1 }) })
  .transform(({ spread }) => spread)
export const TickSizeReply = z
  .object({ minimum_tick_size: tickSize() })
  .transform(({ minimum_tick_size }) => minimum_tick_size)
export const NegRiskReply = z.object({ neg_risk: wireFlag() }).transform(({ neg_risk }) => neg_risk)
/** Seconds, alone. */
export const TimeReply = wireTime()

/** Before the first trade of a token the venue answers a price of 0.5 without a side. */
export const LastTradeReply = z
  .object({ price: maybePrice(), side: z.enum(['BUY', 'SELL', '']).nullish() })
  .transform(({ price, side }) => (price && side ? { price, side } : undefined))

/** In basis points of the first exchange. It is not what is charged; `fee` of `MarketInfo` is. */
export const FeeRateReply = z
  .object({ base_fee: wireNumber({ min: 0, max: 10_000 }) })
  .transform(({ base_fee }) => ({ legacyBaseFeeBps: base_fee }))

/** `/prices`: the best price of both sides by token. */
export const PricesReply = z
  .record(tokenId(), z.object({ BUY: maybePrice(), SELL: maybePrice() }))
  .transform((byToken) => {
    const rows = Object.entries(byToken)
    return new Map(rows.map(([id, { BUY, SELL }]) => [id, { bid: BUY || undefined, ask: SELL || undefined }]))
  })

export const PricesHistoryReply = z
  .object({
    history: wireArray(z.object({ t: wireTime(), p: wireNumber({ min: 0, max: 1 }) }), MAX_POINTS),
  })
  .transform(({ history }) => history.map(({ t, p }) => ({ atMs: t, price: p })))

/** What trading a market costs, as the exchange itself says. */
export type MarketInfo = {
  conditionId: string
  tokens: readonly { tokenId: string; label: string }[]
  tickSize: number
  minOrderSize: number | undefined
  /** Undefined: fees are off. */
  fee: TakerFee | undefined
  acceptingOrders: boolean | undefined
  /** Orders that take are held back for some 150 ms, and cannot be cancelled meanwhile. */
  hasTakerDelay: boolean
  negRisk: boolean | undefined
}

/** `/clob-markets/{condition id}`. */
export const MarketInfoReply = z
  .object({
    c: conditionId(),
    t: wireArray(z.object({ t: tokenId(), o: title() }), MAX_TOKENS),
    mts: tickSize(),
    mos: maybeShares(),
    fd: z
      .object({ r: wireNumber({ min: 0, max: 1 }), e: wireNumber({ min: 0, max: 10 }), to: maybeFlag() })
      .nullish(),
    ao: maybeFlag(),
    itode: maybeFlag(),
    nr: maybeFlag(),
  })
  .transform(
    ({ c, t, mts, mos, fd, ao, itode, nr }): MarketInfo => ({
      conditionId: c,
      tokens: t.map(({ t, o }) => ({ tokenId: t, label: o })),
      tickSize: mts,
      minOrderSize: mos,
      fee: fd ? { rate: fd.r, exponent: fd.e } : undefined,
      acceptingOrders: ao,
      hasTakerDelay: itode ?? false,
      negRisk: nr,
    }),
  )

export type ClobMarket = {
  conditionId: string
  slug: string
  question: string | undefined
  /** A winner is named later here than at Gamma. */
  tokens: readonly {
    tokenId: string
    label: string
    price: number | undefined
    isWinner: boolean | undefined
  }[]
  active: boolean
  closed: boolean
  /** Can stay true after the market has closed. */
  acceptingOrders: boolean
  tickSize: number
  minOrderSize: number
  secondsDelay: number | undefined
  negRisk: boolean | undefined
  /** Midnight of the day on which it ends: not the end of a five-minute window. */
  endDayMs: number | undefined
}

/** `/markets/{condition id}`. */
export const ClobMarketReply = z
  .object({
    condition_id: conditionId(),
    market_slug: slug(),
    question: title().nullish(),
    tokens: wireArray(
      z.object({ token_id: tokenId(), outcome: title(), price: maybePrice(), winner: maybeFlag() }),
      MAX_TOKENS,
    ),
    active: wireFlag(),
    closed: wireFlag(),
    accepting_orders: wireFlag(),
    minimum_tick_size: tickSize(),
    minimum_order_size: shares(),
    seconds_delay: maybeNumber({ min: 0, max: 3_600 }),
    neg_risk: maybeFlag(),
    end_date_iso: maybeTime(),
  })
  .transform(
    (wire): ClobMarket => ({
      conditionId: wire.condition_id,
      slug: wire.market_slug,
      question: wire.question ?? undefined,
      tokens: wire.tokens.map(({ token_id, outcome, price, winner }) => ({
        tokenId: token_id,
        label: outcome,
        price,
        isWinner: winner,
      })),
      active: wire.active,
      closed: wire.closed,
      acceptingOrders: wire.accepting_orders,
      tickSize: wire.minimum_tick_size,
      minOrderSize: wire.minimum_order_size,
      secondsDelay: wire.seconds_delay,
      negRisk: wire.neg_risk,
      endDayMs: wire.end_date_iso,
    }),
  )
