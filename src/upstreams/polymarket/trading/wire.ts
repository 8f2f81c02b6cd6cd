import { z } from 'zod'
import { TradingError } from './trading-error.ts'

/** Up to twelve digits before the point: nothing that is traded is larger. */
const AMOUNT = /^(\d{1,12})(?:\.(\d{1,18}))?$/

/** Millionths. Digits beyond the sixth decimal are cut off. */
const AmountE6 = z
  .string()
  .regex(AMOUNT)
  .transform((text) => {
    const [, whole = '0', fraction = ''] = AMOUNT.exec(text) ?? []
    return BigInt(whole) * 1_000_000n + BigInt(fraction.slice(0, 6).padEnd(6, '0'))
  })
const AmountOrNone = z.union([z.literal('').transform(() => 0n), AmountE6]).default(0n)
const Units = z
  .string()
  .regex(/^\d{1,78}$/)
  .transform(BigInt)
const PriceE4 = AmountE6.transform((e6) => Number(e6) / 100).refine((price) => price >= 0 && price <= 10_000)
const Seconds = z.union([
  z.int().nonnegative(),
  z
    .string()
    .regex(/^\d{1,12}$/)
    .transform(Number),
])
const Side = z.enum(['BUY', 'SELL'])
const Texts = z.array(z.string().max(200)).max(1_000)

export const WireKey = z.object({
  key: z.string().min(1),
  secret: z.string().min(1),
  passphrase: z.string().min(1),
})

export const WirePosted = z.object({
  success: z.boolean(),
  errorMsg: z.string().default(''),
  orderID: z.string(),
  status: z.string(),
  takingAmount: AmountOrNone,
  makingAmount: AmountOrNone,
  transactionsHashes: Texts.nullish(),
  trades: Texts.nullish(),
})

export const WireOrder = z.object({
  id: z.string(),
  status: z.string(),
  asset_id: z.string(),
  market: z.string(),
  side: Side,
  original_size: AmountE6,
  size_matched: AmountE6,
  price: PriceE4,
  order_type: z.string(),
  created_at: Seconds,
  associate_trades: Texts.nullish(),
})

export const WireTrade = z.object({
  id: z.string(),
  taker_order_id: z.string(),
  market: z.string(),
  asset_id: z.string(),
  side: Side,
  size: AmountE6,
  price: PriceE4,
  status: z.string(),
  match_time: Seconds,
  last_update: Seconds,
  transaction_hash: z.string().nullish(),
  trader_side: z.enum(['TAKER', 'MAKER']),
  maker_orders: z.array(
    z.object({
      order_id: z.string(),
      maker_address: z.string(),
      matched_amount: AmountE6,
      price: PriceE4,
      asset_id: z.string(),
      side: Side.optional(),
    }),
  ),
})

export const WireBalance = z.object({ balance: Units, allowances: z.record(z.string(), Units).default({}) })
export const WireCanceled = z.object({
  canceled: Texts.nullish(),
  not_canceled: z.record(z.string(), z.string()).nullish(),
})
/** Seconds, as the venue's clock has them. */
export const WireTime = z.union([
  z.int().positive(),
  z
    .string()
    .regex(/^\d{1,12}$/)
    .transform(Number),
])

/** A reply that breaks the format says nothing about what happened. */
export function parseReply<Schema extends z.ZodType>(
  schema: Schema,
  json: unknown,
  what: string,
): z.output<Schema> {
  const parsed = schema.safeParse(json)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new TradingError('unknown', `malformed ${what}: ${issue?.path.join('.')}: ${issue?.message}`)
}
