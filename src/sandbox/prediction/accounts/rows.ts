import { z } from 'zod'

/** Of orders and their fills, which are limited when they are placed. */
const Amount = z.int().nonnegative()
/** Of what wallets do by themselves: as large as the contracts allow, so it is kept as text. */
const AnyAmount = z
  .string()
  .regex(/^\d{1,78}$/)
  .transform(BigInt)
const Price = z.int().min(0).max(10_000)
const Bytes32 = z.string().regex(/^0x[0-9a-f]{64}$/)
const Address = z.string().regex(/^0x[0-9a-fA-F]{40}$/)
const Side = z.enum(['BUY', 'SELL'])

/** Credentials of one address; `id` is the key itself. */
export const ApiKey = z.object({
  id: z.string(),
  address: Address,
  nonce: z.string(),
  secret: z.string(),
  passphrase: z.string(),
  createdMs: z.int(),
})
export type ApiKey = z.infer<typeof ApiKey>

/** An order that the venue took. Prices in ten-thousandths, amounts in millionths. */
export const AccountOrder = z.object({
  id: Bytes32,
  /** The API key that sent it. */
  owner: z.string(),
  wallet: Address,
  conditionId: z.string(),
  tokenId: z.string(),
  outcome: z.string(),
  side: Side,
  priceE4: Price,
  sharesE6: Amount,
  filledE6: Amount,
  kind: z.enum(['GTC', 'GTD', 'FOK', 'FAK']),
  /** Zero: never. */
  expirationS: z.int().nonnegative(),
  status: z.enum(['live', 'matched', 'delayed', 'canceled', 'unmatched', 'expired']),
  createdMs: z.int(),
})
export type AccountOrder = z.infer<typeof AccountOrder>

/** One wallet's part of a fill. */
export const AccountTrade = z.object({
  id: z.string(),
  /** Rises over trades and events together, so that rows of one second have an order. */
  seq: z.int(),
  orderId: Bytes32,
  owner: z.string(),
  wallet: Address,
  conditionId: z.string(),
  tokenId: z.string(),
  side: Side,
  priceE4: Price,
  sharesE6: Amount,
  /** Price times shares, without the fee. */
  collateralE6: Amount,
  feeE6: Amount,
  role: z.enum(['TAKER', 'MAKER']),
  counter: z.object({ orderId: z.string(), wallet: z.string() }),
  status: z.enum(['MATCHED', 'MINED', 'CONFIRMED', 'FAILED']),
  /** By it the contracts know whether it was carried out, whatever became of the reply. */
  settlementId: Bytes32,
  /** Empty until it is settled. */
  transactionHash: z.string(),
  matchedMs: z.int(),
  updatedMs: z.int(),
})
export type AccountTrade = z.infer<typeof AccountTrade>

/** What a wallet did outside of trading. */
export const AccountEvent = z.object({
  id: z.string(),
  seq: z.int(),
  type: z.enum(['SPLIT', 'MERGE', 'REDEEM']),
  wallet: Address,
  conditionId: z.string(),
  tokenId: z.string().optional(),
  sharesE6: AnyAmount,
  collateralE6: AnyAmount,
  transactionHash: Bytes32,
  block: z.int(),
  atMs: z.int(),
})
export type AccountEvent = z.infer<typeof AccountEvent>

/** A market that some wallet dealt in. It is kept longer than the venue lists it. */
export const TradedMarket = z.object({
  /** The condition. */
  id: z.string(),
  slug: z.string(),
  eventSlug: z.string(),
  question: z.string(),
  outcomes: z.tuple([z.string(), z.string()]),
  tokenIds: z.tuple([z.string(), z.string()]),
  endsMs: z.int(),
  /** Once the contracts know it. */
  winner: z.union([z.literal(0), z.literal(1)]).optional(),
  resolvedMs: z.int().optional(),
  /** When the contracts were told. */
  toldMs: z.int().optional(),
})
export type TradedMarket = z.infer<typeof TradedMarket>

/** How far something was read. */
export const Mark = z.object({ id: z.string(), block: z.int() })
