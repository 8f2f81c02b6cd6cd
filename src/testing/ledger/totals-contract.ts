import { describe, expect, test } from 'vitest'
import { DAY_MS } from '../../core/time/time.ts'
import { PAYERS_LISTED } from '../../ledger/ports/payment-book-queries.ts'
import type { OpenedStores } from './opened-stores.ts'
import { settling } from './payment-contract.ts'
import { sampleOutcome } from './sample-claim.ts'
import { sale, someSales } from './some-sales.ts'

export function totalsContract({ open }: OpenedStores): void {
  describe('totals', () => {
    test('of an empty ledger are nothing', async () => {
      const none = {
        count: 0,
        revenue: 0n,
        payers: 0,
        perProduct: [],
        perNetwork: [],
        perDay: [],
        perPayer: [],
      }
      expect(await (await open()).payments.totals({ exceptPayers: [] })).toEqual(none)
    })

    test('add up settled payments only, without the wallets left out', async () => {
      const store = await open()
      await someSales(store)
      expect(await store.payments.totals({ exceptPayers: ['0xOWN'] })).toEqual({
        count: 3,
        revenue: 22_000n,
        perProduct: [
          { productId: 'whales', count: 1, revenue: 20_000n },
          { productId: 'price', count: 2, revenue: 2_000n },
        ],
        perNetwork: [
          { network: 'eip155:8453', count: 2, revenue: 21_000n },
          { network: 'solana:5', count: 1, revenue: 1_000n },
        ],
        perDay: [
          { day: 0, count: 1, revenue: 1_000n },
          { day: 1, count: 2, revenue: 21_000n },
        ],
        payers: 2,
        perPayer: [
          { payer: '0xAA', count: 2, revenue: 21_000n, firstMs: 5, lastMs: DAY_MS + 1 },
          { payer: 'SoL', count: 1, revenue: 1_000n, firstMs: DAY_MS + 2, lastMs: DAY_MS + 2 },
        ],
      })
    })

    test('are exact beyond what a double or 63 bits can hold', async () => {
      const store = await open()
      const amount = '999999999999999999'
      for (let n = 0; n < 20; n++) await sale(store, `k${n}`, n, { amount })
      const { revenue, perPayer } = await store.payments.totals({ exceptPayers: [] })
      expect([revenue, perPayer[0]?.revenue]).toEqual([
        19_999_999_999_999_999_980n,
        19_999_999_999_999_999_980n,
      ])
    })

    test('list so many payers and count all', async () => {
      const store = await open()
      const sales = Array.from({ length: PAYERS_LISTED + 1 }, (_, n) =>
        sale(store, `k${n}`, n, { payer: `p${n}` }),
      )
      await Promise.all(sales)
      const { payers, perPayer } = await store.payments.totals({ exceptPayers: [] })
      expect([payers, perPayer.length]).toEqual([PAYERS_LISTED + 1, PAYERS_LISTED])
    })
  })
  periodContract(open)
  lookupContract(open)
  purgeContract(open)
}

function periodContract(open: OpenedStores['open']): void {
  describe('totals of a period', () => {
    test('since a moment of our days are those since then', async () => {
      const store = await open()
      const noonMs = Date.UTC(2026, 10, 17, 12)
      for (const [key, atMs] of [
        ['a', noonMs - DAY_MS],
        ['b', noonMs],
        ['c', noonMs + DAY_MS],
      ] as const)
        await sale(store, key, atMs)
      const sinceMs = noonMs - 1
      const { count, perPayer } = await store.payments.totals({ exceptPayers: [], sinceMs })
      expect([count, perPayer.length > 0]).toEqual([2, true])
    })

    test('begin at the time asked for', async () => {
      const store = await open()
      await someSales(store)
      const { count, revenue, perDay } = await store.payments.totals({
        sinceMs: DAY_MS + 2,
        exceptPayers: [],
      })
      expect({ count, revenue, perDay }).toEqual({
        count: 2,
        revenue: 1_007n,
        perDay: [{ day: 1, count: 2, revenue: 1_007n }],
      })
    })

    test('begin in the middle of a day, with the wallets and products of that part only', async () => {
      const store = await open()
      await someSales(store)
      await sale(store, 'd', 2 * DAY_MS, {
        payer: '0xAA',
        amount: '5',
        productId: 'price',
        network: 'solana:5',
      })
      await sale(store, 'e', 2 * DAY_MS + 9, { payer: '0xOwN', amount: '9', productId: 'own only' })
      const found = await store.payments.totals({ sinceMs: DAY_MS + 1, exceptPayers: ['0xOWN'] })
      expect(found).toEqual({
        count: 3,
        revenue: 21_005n,
        perProduct: [
          { productId: 'whales', count: 1, revenue: 20_000n },
          { productId: 'price', count: 2, revenue: 1_005n },
        ],
        perNetwork: [
          { network: 'eip155:8453', count: 1, revenue: 20_000n },
          { network: 'solana:5', count: 2, revenue: 1_005n },
        ],
        perDay: [
          { day: 1, count: 2, revenue: 21_000n },
          { day: 2, count: 1, revenue: 5n },
        ],
        payers: 2,
        perPayer: [
          { payer: '0xAA', count: 2, revenue: 20_005n, firstMs: DAY_MS + 1, lastMs: 2 * DAY_MS },
          { payer: 'SoL', count: 1, revenue: 1_000n, firstMs: DAY_MS + 2, lastMs: DAY_MS + 2 },
        ],
      })
      for (const sinceMs of [2 * DAY_MS, 2 * DAY_MS - 1])
        expect(await store.payments.totals({ sinceMs, exceptPayers: ['0xOWN'] })).toMatchObject({
          count: 1,
          payers: 1,
          perPayer: [{ payer: '0xAA', count: 1, revenue: 5n }],
        })
    })
  })
}

function lookupContract(open: OpenedStores['open']): void {
  test('rows are found by their transaction, in any case, on their own network only', async () => {
    const store = await open()
    await sale(store, 'a', 1)
    await settling(store, 'same')
    await store.payments.settle('same', sampleOutcome({ transaction: '0xabA' }))
    const keys = async (network: string, tx: string) =>
      (await store.payments.findByTransaction(network, tx)).map(({ key }) => key)
    expect(await keys('eip155:8453', '0xABA')).toEqual(['a', 'same'])
    expect(await keys('eip155:1', '0xaba')).toEqual([])
    expect(await keys('eip155:8453', '0xabb')).toEqual([])
  })
}

function purgeContract(open: OpenedStores['open']): void {
  test('old replies go, their rows and receipts stay, and unfinished rows keep theirs', async () => {
    const store = await open()
    await sale(store, 'old', 100)
    await sale(store, 'late', 200, { claimedAtMs: 1 })
    await settling(store, 'open', { claimedAtMs: 1 })
    await settling(store, 'void', { claimedAtMs: 1 })
    await store.payments.void('void')
    await settling(store, 'void later', { claimedAtMs: 200 })
    await store.payments.void('void later')
    expect(await store.payments.purgeReplies(200)).toBe(2)
    expect(await store.payments.purgeReplies(200)).toBe(0)
    const replies = ['old', 'late', 'open', 'void', 'void later'].map(
      async (key) => (await store.payments.find(key))?.reply !== undefined,
    )
    expect(await Promise.all(replies)).toEqual([false, true, true, false, true])
    expect(await store.payments.find('old')).toMatchObject({ state: 'settled', settledAtMs: 100 })
    expect(await store.payments.findReceipt('id of old')).toBe('signed receipt')
    expect(await store.payments.findReceipt('id of open')).toBeUndefined()
  })

  test('a purge goes through any number of replies', async () => {
    const store = await open()
    await Promise.all(Array.from({ length: 1_200 }, (_, n) => sale(store, `k${n}`, n, { claimedAtMs: n })))
    expect(await store.payments.purgeReplies(1_100)).toBe(1_100)
    expect(await store.payments.purgeReplies(2_000)).toBe(100)
  })
}
