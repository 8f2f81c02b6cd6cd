import { expect, test } from 'vitest'
import type { Level } from '../../../core/level.ts'
import { createTakenLevels } from './taken-levels.ts'

const market = { conditionId: '0x1', tokens: { up: 'u', down: 'd' } }
const asksOfUp = (levels: readonly Level[]) => ({ tokenId: 'u', side: 'BUY', levels }) as const
const bidsOfDown = (levels: readonly Level[]) => ({ tokenId: 'd', side: 'SELL', levels }) as const
const asksOfDown = (levels: readonly Level[]) => ({ tokenId: 'd', side: 'BUY', levels }) as const
const offered = (priceE4: number, sharesE6: bigint) => ({ priceE4, sharesE6 })
const take = (shares: bigint) => [offered(4_000, shares)]

test('what was taken is gone until the venue says another size of the level', () => {
  const taken = createTakenLevels()
  const book = asksOfUp([
    [0.4, 10],
    [0.41, 3],
  ])
  taken.take(market, book, take(4_000_000n))
  expect(taken.left(market, book)).toEqual([offered(4_000, 6_000_000n), offered(4_100, 3_000_000n)])
  taken.take(market, book, take(6_000_000n))
  expect(taken.left(market, book)).toEqual([offered(4_000, 0n), offered(4_100, 3_000_000n)])
  // Another level says nothing about this one.
  expect(
    taken.left(
      market,
      asksOfUp([
        [0.4, 10],
        [0.41, 9],
      ]),
    )[0],
  ).toEqual(offered(4_000, 0n))
  expect(taken.left(market, asksOfUp([[0.4, 9]]))).toEqual([offered(4_000, 9_000_000n)])
  expect(taken.left(market, book)[0]).toEqual(offered(4_000, 10_000_000n))
})

test('a level that was gone is new when it comes back', () => {
  const taken = createTakenLevels()
  taken.take(market, asksOfUp([[0.4, 10]]), take(10_000_000n))
  expect(taken.left(market, asksOfUp([]))).toEqual([])
  expect(taken.left(market, asksOfUp([[0.4, 10]]))).toEqual([offered(4_000, 10_000_000n)])
})

test('both tokens are one book, and its two sides are not', () => {
  const taken = createTakenLevels()
  taken.take(market, asksOfUp([[0.4, 10]]), take(4_000_000n))
  expect(taken.left(market, bidsOfDown([[0.6, 10]]))).toEqual([offered(6_000, 6_000_000n)])
  expect(taken.left(market, asksOfDown([[0.6, 10]]))).toEqual([offered(6_000, 10_000_000n)])
  expect(taken.left({ ...market, conditionId: '0x2' }, asksOfUp([[0.4, 10]]))[0]?.sharesE6).toBe(10_000_000n)
})

test('what an earlier process took counts until the level changes', () => {
  const taken = createTakenLevels()
  const fill = { tradeId: '1', state: 'confirmed', priceE6: 400_000n, sharesE6: 4_000_000n } as const
  const fills = [{ ...fill, notionalE6: 1_600_000n, feeE6: 0n, atMs: 1, transactionHash: undefined }]
  const order = {
    clientOrderId: 'a',
    conditionId: '0x1',
    tokenId: 'u',
    side: 'BUY',
    orderId: 'p',
    atMs: 1,
  } as const
  expect(taken.knows('0x1')).toBe(false)
  taken.recall(market, [{ ...order, fills }])
  expect(taken.knows('0x1')).toBe(true)
  expect(taken.left(market, asksOfUp([[0.4, 10]]))).toEqual([offered(4_000, 6_000_000n)])
  expect(taken.left(market, asksOfUp([[0.4, 11]]))).toEqual([offered(4_000, 11_000_000n)])
})

test('only the last markets are remembered', () => {
  const taken = createTakenLevels()
  for (let n = 0; n < 100; n++) taken.recall({ ...market, conditionId: `0x${n}` }, [])
  expect([taken.knows('0x0'), taken.knows('0x83'), taken.knows('0x84'), taken.knows('0x99')]).toEqual([
    false,
    false,
    true,
    true,
  ])
})
