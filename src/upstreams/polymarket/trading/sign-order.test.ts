import { Chain, OrderBuilder, Side, SignatureTypeV2 } from '@polymarket/clob-client-v2'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { type ExchangeOrder, hashOrder } from './exchange-order.ts'
import { signOrder } from './sign-order.ts'

const owner = privateKeyToAccount(`0x${'11'.repeat(32)}`)
const wallet = '0x8342b4A24c6Fcf7A20e187fC8Fe3A838CD0dc61D'

const builder = new OrderBuilder(
  {
    account: owner,
    signTypedData: (data: Parameters<typeof owner.signTypedData>[0]) => owner.signTypedData(data),
  } as never,
  Chain.POLYGON,
  SignatureTypeV2.POLY_1271,
  wallet,
)

test('an order is signed, byte for byte, as the official client signs it', async () => {
  const theirs = await builder.buildOrder(
    { tokenID: '123456789', price: 0.37, size: 12.5, side: Side.BUY },
    { tickSize: '0.01', negRisk: false },
    2,
  )
  const { salt, tokenId, makerAmount, takerAmount, timestamp, signature, ...rest } =
    theirs as unknown as Record<
      'salt' | 'tokenId' | 'makerAmount' | 'takerAmount' | 'timestamp' | 'signature',
      string
    >
  const order = {
    ...rest,
    ...{ salt: BigInt(salt), tokenId: BigInt(tokenId), timestamp: BigInt(timestamp) },
    ...{ makerAmount: BigInt(makerAmount), takerAmount: BigInt(takerAmount) },
  } as unknown as ExchangeOrder
  expect(await signOrder(order, owner)).toBe(signature)
  expect(hashOrder(order)).toMatch(/^0x[0-9a-f]{64}$/)
})
