import { concat, encodeAbiParameters, type Hex, hashDomain, hashStruct, size, toHex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { POLYMARKET_CHAIN_ID } from '../relayer/addresses.ts'
import {
  type ExchangeOrder,
  ORDER_DOMAIN,
  ORDER_TYPES,
  toOrderMessage,
  ZERO_BYTES32,
} from './exchange-order.ts'

const DOMAIN_TYPES = {
  EIP712Domain: [
    { name: 'name', type: 'string' },
    { name: 'version', type: 'string' },
    { name: 'chainId', type: 'uint256' },
    { name: 'verifyingContract', type: 'address' },
  ],
} as const
const NESTED_TYPES = {
  TypedDataSign: [
    { name: 'contents', type: 'Order' },
    { name: 'name', type: 'string' },
    { name: 'version', type: 'string' },
    { name: 'chainId', type: 'uint256' },
    { name: 'verifyingContract', type: 'address' },
    { name: 'salt', type: 'bytes32' },
  ],
  ...ORDER_TYPES,
} as const
const CONTENTS_TYPE = `Order(${ORDER_TYPES.Order.map(({ name, type }) => `${type} ${name}`).join(',')})`

/** ERC-7739: the owner signs the order inside the domain of the deposit wallet, which unwraps and checks it. */
export async function signOrder(order: ExchangeOrder, owner: PrivateKeyAccount): Promise<Hex> {
  const contents = toOrderMessage(order)
  const inner = await owner.signTypedData({
    domain: ORDER_DOMAIN,
    types: NESTED_TYPES,
    primaryType: 'TypedDataSign',
    message: {
      contents,
      name: 'DepositWallet',
      version: '1',
      chainId: BigInt(POLYMARKET_CHAIN_ID),
      verifyingContract: order.signer,
      salt: ZERO_BYTES32,
    },
  })
  const description = toHex(CONTENTS_TYPE)
  return concat([
    inner,
    hashDomain({ domain: { ...ORDER_DOMAIN, chainId: BigInt(POLYMARKET_CHAIN_ID) }, types: DOMAIN_TYPES }),
    hashStruct({ data: contents, primaryType: 'Order', types: ORDER_TYPES }),
    description,
    encodeLength(size(description)),
  ])
}

/** Two bytes, the last of the word. */
const encodeLength = (bytes: number): Hex =>
  `0x${encodeAbiParameters([{ type: 'uint256' }], [BigInt(bytes)]).slice(-4)}`
