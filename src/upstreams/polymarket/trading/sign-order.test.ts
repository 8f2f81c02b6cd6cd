import { Chain, OrderBuilder, Side, SignatureTypeV2 } from '@polymarket/clob-client-v2'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { type ExchangeOrder, hashOrder } from './exchange-order.ts'
import { toAmounts } from './order-amounts.ts'
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

test.each([
  ['BUY', 37, '0.37', 1, '0.01'],
  ['BUY', 12.34, '0.99', 1, '0.01'],
  ['SELL', 5.01, '0.07', 1, '0.01'],
  ['BUY', 777.77, '0.973', 1, '0.001'],
] as const)('%s %d at %s has the amounts of the official client', async (side, size, price, _, tickSize) => {
  const theirs = (await builder.buildOrder(
    { tokenID: '1', price: Number(price), size, side: side as Side },
    { tickSize, negRisk: false },
    2,
  )) as { makerAmount: string; takerAmount: string }
  const ours = toAmounts({
    side,
    priceE4: Math.round(Number(price) * 1e4),
    tickE4: Number(tickSize) * 1e4,
    size: { sharesE6: BigInt(Math.round(size * 100)) * 10_000n },
  })
  expect([ours.makerAmount.toString(), ours.takerAmount.toString()]).toEqual([
    theirs.makerAmount,
    theirs.takerAmount,
  ])
})

test('a market purchase has the amounts of the official client, at every price', async () => {
  for (let cents = 1; cents < 100; cents++) {
    const theirs = (await builder.buildMarketOrder(
      { tokenID: '1', price: cents / 100, amount: 17.31, side: Side.BUY },
      { tickSize: '0.01', negRisk: false },
      2,
    )) as { makerAmount: string; takerAmount: string }
    const ours = toAmounts({ side: 'BUY', priceE4: cents * 100, tickE4: 100, size: { spendE6: 17_310_000n } })
    expect([ours.makerAmount.toString(), ours.takerAmount.toString()]).toEqual([
      theirs.makerAmount,
      theirs.takerAmount,
    ])
  }
})

test.each([
  { side: 'BUY', priceE4: 3750, tickE4: 100, size: { sharesE6: 5_000_000n } },
  { side: 'BUY', priceE4: 10_000, tickE4: 100, size: { sharesE6: 5_000_000n } },
  { side: 'BUY', priceE4: Number.NaN, tickE4: 100, size: { sharesE6: 5_000_000n } },
  { side: 'BUY', priceE4: 3700, tickE4: 100, size: { sharesE6: 5_001_000n } },
  { side: 'BUY', priceE4: 3700, tickE4: 100, size: { spendE6: 0n } },
  { side: 'SELL', priceE4: 3700, tickE4: 100, size: { spendE6: 5_000_000n } },
] as const)('%o is not signed', (terms) => {
  expect(() => toAmounts(terms)).toThrow(RangeError)
})
