import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ExchangeOrder } from '../../../upstreams/polymarket/trading/exchange-order.ts'
import { toAmounts } from '../../../upstreams/polymarket/trading/order-amounts.ts'
import type { VenueMarket } from '../venue.ts'
import { type PostedOrder, toOrderTerms } from './order-terms.ts'

const NOW_MS = Date.UTC(2026, 0, 5, 12)
const marketOf = (tickE4: number) => ({ tickE4 }) as VenueMarket
const posted = (order: Partial<ExchangeOrder>, rest: Partial<PostedOrder> = {}): PostedOrder => ({
  order: { side: 'BUY', makerAmount: 1n, takerAmount: 1n, ...order } as ExchangeOrder,
  kind: 'GTC',
  postOnly: false,
  expirationS: 0,
  ...rest,
})

test('the price and size that were signed are read back, at both ticks', () => {
  const anyTerms = fc.record({
    tickE4: fc.constantFrom(100, 10),
    part: fc.double({ min: 0, max: 1, noNaN: true }),
    cents: fc.integer({ min: 100, max: 1_000_000 }),
    side: fc.constantFrom('BUY' as const, 'SELL' as const),
    kind: fc.constantFrom('GTC' as const, 'FOK' as const, 'FAK' as const),
  })
  fc.assert(
    fc.property(anyTerms, ({ tickE4, part, cents, side, kind }) => {
      const priceE4 = tickE4 + Math.round(part * (10_000 / tickE4 - 2)) * tickE4
      const amount = BigInt(cents) * 10_000n
      const isSpending = kind !== 'GTC' && side === 'BUY'
      const size = isSpending ? { spendE6: amount } : { sharesE6: amount }
      const order = { side, ...toAmounts({ side, kind, priceE4, tickE4, size }) }
      const terms = toOrderTerms(posted(order, { kind }), marketOf(tickE4), NOW_MS)
      expect(terms.priceE4).toBe(priceE4)
      expect(isSpending ? terms.spendE6 : terms.sharesE6).toBe(Number(amount))
    }),
    { numRuns: 500 },
  )
})

test.each([
  ['half a tick', { makerAmount: 1_775_000n, takerAmount: 5_000_000n }, /tick size/],
  ['a price of a dollar', { makerAmount: 5_000_000n, takerAmount: 5_000_000n }, /tick size/],
  ['a price above a dollar', { makerAmount: 9_000_000n, takerAmount: 5_000_000n }, /tick size/],
  ['no money', { makerAmount: 0n, takerAmount: 5_000_000n }, /above 0/],
  ['no shares', { makerAmount: 5_000_000n, takerAmount: 0n }, /above 0/],
  ['more than there is', { makerAmount: 2n ** 200n, takerAmount: 2n ** 201n }, /above 0/],
  ['a third decimal of a share', { makerAmount: 2_501_000n, takerAmount: 5_002_000n }, /max accuracy of/],
])('%s is refused', (_, order, reason) => {
  expect(() => toOrderTerms(posted(order), marketOf(100), NOW_MS)).toThrow(reason)
})

test('only a GTD order expires, and not within the next minute', () => {
  const order = { makerAmount: 2_500_000n, takerAmount: 5_000_000n }
  const expiryOf = (rest: Partial<PostedOrder>) =>
    toOrderTerms(posted(order, rest), marketOf(100), NOW_MS).expiresMs
  const nowS = NOW_MS / 1000
  expect(expiryOf({ kind: 'GTD', expirationS: nowS + 60 })).toBe(NOW_MS + 60_000)
  expect(() => expiryOf({ kind: 'GTD', expirationS: nowS + 59 })).toThrow(/expiration/)
  expect(() => expiryOf({ kind: 'GTD' })).toThrow(/expiration/)
  expect(() => expiryOf({ kind: 'FAK', expirationS: nowS + 600 })).toThrow(/expiration/)
})
