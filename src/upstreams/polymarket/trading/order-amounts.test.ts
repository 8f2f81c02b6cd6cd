import { Chain, OrderBuilder, Side, SignatureTypeV2 } from '@polymarket/clob-client-v2'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { toAmounts } from './order-amounts.ts'

const owner = privateKeyToAccount(`0x${'11'.repeat(32)}`)
const builder = new OrderBuilder(
  {
    account: owner,
    signTypedData: (data: Parameters<typeof owner.signTypedData>[0]) => owner.signTypedData(data),
  } as never,
  Chain.POLYGON,
  SignatureTypeV2.POLY_1271,
  '0x8342b4A24c6Fcf7A20e187fC8Fe3A838CD0dc61D',
)

const USD = 1_000_000n
const BUY = { side: 'BUY', kind: 'GTC', priceE4: 3_700, tickE4: 100, size: { sharesE6: 5n * USD } } as const

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
    kind: 'GTC',
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
    const ours = toAmounts({ ...BUY, kind: 'FAK', priceE4: cents * 100, size: { spendE6: 17_310_000n } })
    expect([ours.makerAmount.toString(), ours.takerAmount.toString()]).toEqual([
      theirs.makerAmount,
      theirs.takerAmount,
    ])
  }
})

test('a purchase is the same whatever the tick is', () => {
  for (const priceE4 of [100, 3_700, 9_700, 9_900]) {
    const at = (tickE4: number) =>
      toAmounts({ ...BUY, kind: 'FAK', priceE4, tickE4, size: { spendE6: 10n * USD } })
    expect([at(10), at(50), at(1)]).toEqual([at(100), at(100), at(100)])
  }
  const fine = (tickE4: number) =>
    toAmounts({ ...BUY, kind: 'FAK', priceE4: 9_730, tickE4, size: { spendE6: 10n * USD } })
  expect(fine(1)).toEqual(fine(10))
})

test('a market purchase by shares is of whole cents', () => {
  const bought = { makerAmount: 9_100_000n, takerAmount: 10n * USD }
  expect(toAmounts({ ...BUY, kind: 'FOK', priceE4: 9_100, size: { sharesE6: 10n * USD } })).toEqual(bought)
})

test.each([
  { priceE4: 3750 },
  { priceE4: 10_000 },
  { priceE4: 0 },
  { priceE4: Number.NaN },
  { priceE4: 10_000, tickE4: -100 },
  { tickE4: 0 },
  { size: { sharesE6: 5_001_000n } },
  { kind: 'FAK', size: { spendE6: 0n } },
  { kind: 'FAK', side: 'SELL', size: { spendE6: 5n * USD } },
  { kind: 'GTC', size: { spendE6: 5n * USD } },
  { kind: 'FAK', priceE4: 9_100, size: { sharesE6: 10_110_000n } },
  { kind: 'FOK', priceE4: 9_100, size: { sharesE6: 10_110_000n } },
  { kind: 'FAK', priceE4: 3_000, tickE4: 1_000, size: { spendE6: 10n * USD } },
] as const)('%o is not signed', (terms) => {
  expect(() => toAmounts({ ...BUY, ...terms })).toThrow(RangeError)
})
