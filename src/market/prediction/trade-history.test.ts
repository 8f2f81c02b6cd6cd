import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mergeReads } from '../../feeds/prediction/account/merge-reads.ts'
import type { Activity } from '../../upstreams/polymarket/account-activity.ts'
import { profitOf, resultOf, tradesByMarket } from './trade-history.ts'

const START_S = 1_767_614_400
const WALLET = '0xab'

/** A row of the account, of the BTC window at START_S unless told otherwise. */
function row(more: Partial<Activity> = {}): Activity {
  const slug = more.slug ?? `btc-updown-5m-${START_S}`
  return {
    kind: 'TRADE',
    type: more.kind ?? 'TRADE',
    wallet: WALLET,
    conditionId: `0x${slug}`,
    tokenId: '1',
    side: 'BUY',
    outcome: 'Up',
    title: 'Bitcoin Up or Down',
    eventSlug: slug,
    shares: 5,
    usd: 2.5,
    price: 0.5,
    transactionHash: '0xt',
    atMs: START_S * 1000 + 1_000,
    ...more,
    slug,
  }
}
const moved = (kind: Activity['kind'], shares: number, usd: number, more: Partial<Activity> = {}) =>
  row({ kind, shares, usd, side: undefined, price: undefined, ...more })
const one = (rows: readonly Activity[]) => {
  const markets = tradesByMarket(rows)
  expect(markets).toHaveLength(1)
  return markets[0] as NonNullable<(typeof markets)[0]>
}

describe('what a market made', () => {
  test('buying adds to the cost, selling and redeeming to what was collected', () => {
    const trades = one([
      row({ shares: 10, usd: 5.175, price: 0.5 }),
      row({ side: 'SELL', shares: 4, usd: 2.4, price: 0.6 }),
      moved('REDEEM', 6, 6),
      moved('REDEEM', 0, 0, { outcome: 'Down' }),
    ])
    expect(trades).toMatchObject({ cost: 5_175_000n, collected: 8_400_000n, fees: 175_000n, fills: 2 })
    expect(trades.sharesLeft).toEqual({ up: 0n, down: 0n })
    expect(profitOf(trades)).toBe(3_225_000n)
  })

  test('splits and merges count in the profit only', () => {
    const trades = one([
      moved('SPLIT', 10, 10, { outcome: undefined }),
      row({ side: 'SELL', shares: 10, usd: 5.5, price: 0.55, outcome: 'Down' }),
      row({ shares: 2, usd: 1, outcome: 'Down' }),
      moved('MERGE', 2, 2, { outcome: undefined }),
    ])
    expect(trades).toMatchObject({
      cost: 1_000_000n,
      collected: 5_500_000n,
      split: 10_000_000n,
      merged: 2_000_000n,
    })
    expect(trades.sharesLeft).toEqual({ up: 8_000_000n, down: 0n })
    expect(profitOf(trades)).toBe(-3_500_000n)
  })

  test.each([
    ['before the end, whatever was collected', 299_999, [row(), moved('REDEEM', 5, 5)], 'open'],
    ['at the end, with something collected', 300_000, [row(), moved('REDEEM', 5, 5)], 'win'],
    ['with a loss, but something collected', 300_000, [row(), row({ side: 'SELL', usd: 0.000001 })], 'win'],
    ['at the end, with nothing collected', 300_000, [row()], 'loss'],
    ['with the losing side redeemed', 300_000, [row(), moved('REDEEM', 5, 0)], 'loss'],
    ['with only pairs made and taken apart', 300_000, [moved('SPLIT', 5, 5), moved('MERGE', 5, 5)], 'loss'],
  ] as const)('the result %s', (_, afterMs, rows, result) => {
    expect(resultOf(one(rows), START_S * 1000 + afterMs)).toBe(result)
  })

  test('fees are what was paid above the price, or received below it', () => {
    expect(one([row({ shares: 5, usd: 1.67616, price: 0.32 })]).fees).toBe(76_160n)
    expect(one([row({ shares: 10.294118, usd: 3.294118, price: 0.3200000233 })]).fees).toBe(0n)
    expect(one([row({ side: 'SELL', shares: 100, usd: 48.25, price: 0.5 })]).fees).toBe(1_750_000n)
    expect(one([row({ shares: 5, usd: 2, price: 0.5 })]).fees).toBe(0n)
    expect(one([row(), row({ price: undefined })]).fees).toBeUndefined()
    expect(one([row({ price: Number.NaN })]).fees).toBeUndefined()
  })

  test('shares left are unknown where an outcome is, none after a redeem, never below zero', () => {
    expect(one([row({ outcome: undefined })]).sharesLeft).toBeUndefined()
    expect(
      one([row({ outcome: undefined }), moved('REDEEM', 5, 5, { outcome: undefined })]).sharesLeft,
    ).toEqual({
      up: 0n,
      down: 0n,
    })
    expect(one([row({ side: 'SELL' })]).sharesLeft).toEqual({ up: 0n, down: 0n })
  })
})

test('only five-minute markets are shown, newest first, each with all of its rows', () => {
  const later = `eth-updown-5m-${START_S + 300}`
  const markets = tradesByMarket([
    row(),
    row({ slug: later }),
    row({ slug: `btc-updown-5m-${START_S + 300}` }),
    row({ slug: `btc-updown-15m-${START_S}` }),
    row({ slug: `btc-updown-5m-${START_S + 1}` }),
    row({ slug: 'btc-updown-5m-99999999999999' }),
    row({ slug: 'will-it-rain' }),
    moved('REDEEM', 5, 5, {
      slug: '',
      eventSlug: '',
      conditionId: `0x${later}`.toUpperCase().replace('0X', '0x'),
    }),
    moved('OTHER', 7, 7, { slug: later }),
  ])
  expect(markets.map(({ slug, coin, collected, fills }) => [slug, coin, collected, fills])).toEqual([
    [`btc-updown-5m-${START_S + 300}`, 'BTC', 0n, 1],
    [later, 'ETH', 5_000_000n, 1],
    [`btc-updown-5m-${START_S}`, 'BTC', 0n, 1],
  ])
})

test('rows that cannot be are left out', () => {
  for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, -1, 1e300])
    for (const part of [{ shares: bad }, { usd: bad }])
      expect(one([row(), row({ ...part, transactionHash: '0xbad' })])).toMatchObject({
        cost: 2_500_000n,
        fills: 1,
      })
  expect(one([row(), row({ atMs: Number.NaN })]).fills).toBe(1)
  expect(one([row(), row({ side: undefined })]).fills).toBe(1)
  expect(tradesByMarket([moved('OTHER', 1, 1)])).toEqual([])
})

describe('any sequence', () => {
  const cents = fc.integer({ min: 0, max: 5_000_000 }).map((n) => n / 100_000)
  const kinds = ['BUY', 'SELL', 'REDEEM', 'SPLIT', 'MERGE', 'OTHER'] as const
  const rows = fc.array(
    fc
      .record({
        what: fc.constantFrom(...kinds),
        outcome: fc.constantFrom('Up', 'Down'),
        coin: fc.constantFrom('btc', 'eth'),
        window: fc.integer({ min: 0, max: 2 }),
        shares: cents,
        usd: cents,
        // Few of them, so that equal rows occur.
        transaction: fc.integer({ min: 0, max: 2 }),
      })
      .map(({ what, outcome, coin, window, shares, usd, transaction }) => {
        const slug = `${coin}-updown-5m-${START_S + 300 * window}`
        const shared = { slug, outcome, shares, usd, transactionHash: `0x${transaction}` }
        return what === 'BUY' || what === 'SELL'
          ? row({ ...shared, side: what })
          : moved(what, shares, usd, shared)
      }),
    { maxLength: 40 },
  )

  test('is summed exactly, market by market, in any order', () => {
    fc.assert(
      fc.property(rows, fc.integer(), fc.integer({ min: 0, max: 1_200_000 }), (given, seed, afterMs) => {
        const nowMs = START_S * 1000 + afterMs
        const markets = tradesByMarket(given)
        const rank = ({ usd = 0, shares = 0 }: Activity) => Math.sin(seed + usd * 7 + shares)
        const shuffled = [...given].sort((a, b) => rank(a) - rank(b))
        expect(tradesByMarket(shuffled)).toEqual(markets)
        const starts = markets.map(({ windowStartS }) => windowStartS)
        expect(starts).toEqual([...starts].sort((a, b) => b - a))
        const slugs = given.filter(({ kind }) => kind !== 'OTHER').map(({ slug }) => slug)
        expect(new Set(markets.map(({ slug }) => slug))).toEqual(new Set(slugs))
        for (const market of markets) {
          // The same, in whole hundred-thousandths and by a plain loop.
          const sums = { BUY: 0, SELL: 0, REDEEM: 0, SPLIT: 0, MERGE: 0 }
          let fills = 0
          for (const { slug, kind, side, usd = 0 } of given) {
            if (slug !== market.slug || kind === 'OTHER') continue
            sums[kind === 'TRADE' ? (side ?? 'BUY') : kind] += Math.round(usd * 100_000)
            if (kind === 'TRADE') fills++
          }
          const [cost, collected] = [sums.BUY, sums.SELL + sums.REDEEM]
          expect(market).toMatchObject({
            cost: BigInt(cost) * 10n,
            collected: BigInt(collected) * 10n,
            fills,
          })
          expect(profitOf(market)).toBe(BigInt(collected + sums.MERGE - cost - sums.SPLIT) * 10n)
          const isOpen = nowMs < market.windowEndS * 1000
          expect(resultOf(market, nowMs)).toBe(isOpen ? 'open' : collected > 0 ? 'win' : 'loss')
        }
      }),
      { numRuns: 300 },
    )
  })

  test('read in reads that overlap counts each row as often as it is', () => {
    fc.assert(
      fc.property(rows, fc.array(fc.tuple(fc.nat(40), fc.nat(40)), { maxLength: 4 }), (given, cuts) => {
        // Each read is a stretch of the same account; together they have all of it.
        const stretches = cuts.map(([from, length]) => given.slice(from, from + length))
        const reads = [given, ...stretches, given.map((each) => ({ ...each, name: 'as it is named later' }))]
        const merged = mergeReads(reads)
        expect(merged).toHaveLength(given.length)
        expect(tradesByMarket(merged)).toEqual(tradesByMarket(given))
      }),
      { numRuns: 200 },
    )
  })

  test('read page by page, with pages that overlap, is the same as in one read', () => {
    fc.assert(
      fc.property(rows, fc.integer({ min: 1, max: 10 }), fc.nat(5), (rough, size, overlap) => {
        const given = rough.map((each, at) => ({ ...each, atMs: each.atMs + at }))
        const pages = given.flatMap((_, at) =>
          at % size === 0 ? [given.slice(at, at + size + overlap)] : [],
        )
        expect(mergeReads(pages)).toHaveLength(given.length)
        expect(tradesByMarket(mergeReads(pages))).toEqual(tradesByMarket(given))
      }),
      { numRuns: 200 },
    )
  })

  test('of equal fills in two halves that share some is at least what each half saw', () => {
    const fill = row()
    expect(
      mergeReads([
        [fill, fill],
        [fill, fill, fill],
      ]),
    ).toHaveLength(3)
    expect(mergeReads([[fill], [row({ usd: 2.6 })]])).toHaveLength(2)
    expect(mergeReads([[row({ wallet: '0xAB' })], [fill]])).toHaveLength(1)
    expect(mergeReads([])).toEqual([])
  })
})
