import { getAddress, type Hex, isAddress } from 'viem'
import { z } from 'zod'
import type { OrderDesk } from '../../../prediction/accounts/order-desk.ts'
import { Refusal } from '../../../prediction/accounts/refusal.ts'
import { isObject } from '../../json-frame.ts'

export type PostedBody = { owner: string; posted: Parameters<OrderDesk['place']>[1] }

const UINT256_MAX = 2n ** 256n - 1n
const Uint = z
  .string()
  .regex(/^\d{1,78}$/)
  .transform(BigInt)
  .refine((value) => value <= UINT256_MAX)
const WholeSeconds = z
  .string()
  .regex(/^\d{1,12}$/)
  .transform(Number)
/** However its letters are written: nothing behind this line takes a wrong checksum. */
const Wallet = z
  .string()
  .refine((text) => isAddress(text, { strict: false }))
  .transform((text) => getAddress(text.toLowerCase()))
const Bytes32 = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/)
  .transform((text) => text.toLowerCase() as Hex)
/** The nested signature of a deposit wallet has 321 bytes; nothing that is valid is much longer. */
const Signature = z
  .string()
  .regex(/^0x(?:[0-9a-fA-F]{2}){1,1024}$/)
  .transform((text) => text as Hex)

const WireOrder = z.object({
  salt: z.union([z.int().nonnegative().transform(BigInt), Uint]),
  maker: Wallet,
  signer: Wallet,
  tokenId: Uint,
  makerAmount: Uint,
  takerAmount: Uint,
  side: z.enum(['BUY', 'SELL']),
  signatureType: z.int().min(0).max(3),
  timestamp: Uint,
  expiration: WholeSeconds.default(0),
  metadata: Bytes32,
  builder: Bytes32,
  signature: Signature,
})
const WireBody = z.object({
  order: WireOrder,
  owner: z.string(),
  orderType: z.enum(['GTC', 'GTD', 'FOK', 'FAK']),
  deferExec: z.boolean().default(false),
  postOnly: z.boolean().default(false),
})

/** One posted order; throws a `Refusal`. */
export function parsePostedOrder(json: unknown): PostedBody {
  if (isObject(json) && isObject(json.order) && isFormerVersion(json.order))
    throw new Refusal(400, 'order_version_mismatch')
  const parsed = WireBody.safeParse(json)
  if (!parsed.success) throw new Refusal(400, 'Invalid order payload')
  const { owner, orderType, deferExec, postOnly } = parsed.data
  const { signature, expiration, ...order } = parsed.data.order
  if (postOnly && (orderType === 'FOK' || orderType === 'FAK'))
    throw new Refusal(400, 'invalid post-only order: only GTC and GTD orders can be post-only')
  return {
    owner,
    posted: { order, signature, kind: orderType, postOnly, deferExec, expirationS: expiration },
  }
}

/** Orders of the first exchange have a nonce and a fee, and none of the fields that came later. */
const isFormerVersion = (order: Readonly<Record<string, unknown>>) =>
  !('timestamp' in order) && !('metadata' in order) && !('builder' in order)
