import { type Address, type Hex, hashTypedData } from 'viem'
import { POLYMARKET_CHAIN_ID, POLYMARKET_CONTRACTS } from '../relayer/addresses.ts'

/** Signed by the owner of a deposit wallet, checked by that wallet (ERC-1271). */
export const DEPOSIT_WALLET_TYPE = 3
export const ZERO_BYTES32: Hex = `0x${'0'.repeat(64)}`

export type OrderSide = 'BUY' | 'SELL'

/** What is signed: amounts in millionths, `timestamp` in ms. The expiration is told beside it. */
export type ExchangeOrder = {
  salt: bigint
  maker: Address
  signer: Address
  tokenId: bigint
  /** What the maker of the order gives: pUSD when buying, shares when selling. */
  makerAmount: bigint
  takerAmount: bigint
  side: OrderSide
  signatureType: number
  timestamp: bigint
  metadata: Hex
  builder: Hex
}

export const ORDER_DOMAIN = {
  name: 'Polymarket CTF Exchange',
  version: '2',
  chainId: POLYMARKET_CHAIN_ID,
  verifyingContract: POLYMARKET_CONTRACTS.exchange,
} as const

export const ORDER_TYPES = {
  Order: [
    { name: 'salt', type: 'uint256' },
    { name: 'maker', type: 'address' },
    { name: 'signer', type: 'address' },
    { name: 'tokenId', type: 'uint256' },
    { name: 'makerAmount', type: 'uint256' },
    { name: 'takerAmount', type: 'uint256' },
    { name: 'side', type: 'uint8' },
    { name: 'signatureType', type: 'uint8' },
    { name: 'timestamp', type: 'uint256' },
    { name: 'metadata', type: 'bytes32' },
    { name: 'builder', type: 'bytes32' },
  ],
} as const

export const toOrderMessage = (order: ExchangeOrder) => ({ ...order, side: order.side === 'BUY' ? 0 : 1 })

/** The EIP-712 hash of an order, which is its id at the venue. */
export function hashOrder(order: ExchangeOrder): Hex {
  return hashTypedData({
    domain: ORDER_DOMAIN,
    types: ORDER_TYPES,
    primaryType: 'Order',
    message: toOrderMessage(order),
  })
}
