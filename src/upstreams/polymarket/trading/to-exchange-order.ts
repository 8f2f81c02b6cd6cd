import { createHash } from 'node:crypto'
import type { Address } from 'viem'
import { DEPOSIT_WALLET_TYPE, type ExchangeOrder, hashOrder, ZERO_BYTES32 } from './exchange-order.ts'
import { toAmounts } from './order-amounts.ts'
import type { TradeOrder } from './trading.ts'

/** The venue carries a salt as a JSON number. */
const SALT_BITS = 52n

/** The same id and time make the same salt, and with the same terms the same order. */
export function toExchangeOrder(order: TradeOrder, wallet: Address): ExchangeOrder {
  const digest = createHash('sha256').update(`${wallet.toLowerCase()} ${order.clientOrderId}`).digest('hex')
  return {
    salt: BigInt(`0x${digest}`) >> (256n - SALT_BITS),
    maker: wallet,
    signer: wallet,
    tokenId: BigInt(order.tokenId),
    ...toAmounts(order),
    side: order.side,
    signatureType: DEPOSIT_WALLET_TYPE,
    timestamp: BigInt(order.createdMs),
    metadata: ZERO_BYTES32,
    builder: ZERO_BYTES32,
  }
}

/** What the order is called at the venue: it follows from its terms, so that it is known before anything is sent. */
export const orderIdOf = (order: TradeOrder, wallet: Address): string =>
  hashOrder(toExchangeOrder(order, wallet))
