import { describe, expect, test } from 'vitest'
import { DAY_MS } from '../../core/time/time.ts'
import type { OpenedStores } from './opened-stores.ts'
import { settling } from './payment-contract.ts'
import { sampleOutcome } from './sample-claim.ts'
import { sale, someSales } from './some-sales.ts'

const NOTHING = { count: 0, revenue: 0n }

export function overviewContract({ open }: OpenedStores): void {
  describe('the overview', () => {
    test('of an empty ledger is nothing', async () => {
      expect(await (await open()).payments.overview(['0xOwn'])).toEqual({
        customers: NOTHING,
        payers: 0,
        perNetwork: [],
        own: NOTHING,
        lastSettledMs: undefined,
        unsettled: { count: 0, oldestMs: undefined },
      })
    })

    test('has the wallets left out apart, and what waits for the chain', async () => {
      const store = await open()
      await someSales(store)
      await settling(store, 'older', { claimedAtMs: 900 })
      expect(await store.payments.overview(['0xOWN', 'nobody'])).toEqual({
        customers: { count: 3, revenue: 22_000n },
        payers: 2,
        perNetwork: [
          { network: 'eip155:8453', count: 2, revenue: 21_000n },
          { network: 'solana:5', count: 1, revenue: 1_000n },
        ],
        own: { count: 1, revenue: 7n },
        lastSettledMs: DAY_MS + 3,
        unsettled: { count: 2, oldestMs: 900 },
      })
      const all = await store.payments.overview([])
      expect([all.customers, all.payers, all.own]).toEqual([{ count: 4, revenue: 22_007n }, 3, NOTHING])
    })

    test('names no network on which only wallets left out have paid', async () => {
      const store = await open()
      await sale(store, 'own', 1, { payer: 'own', network: 'solana:5' })
      await sale(store, 'other', 2, { payer: 'other' })
      const { perNetwork } = await store.payments.overview(['OWN'])
      expect(perNetwork).toEqual([{ network: 'eip155:8453', count: 1, revenue: 1_000n }])
    })
  })
  countedOnceContract(open)
}

function countedOnceContract(open: OpenedStores['open']): void {
  test('a payment counts once, when its money moved: also one that was void, however often that is said', async () => {
    const store = await open()
    const { payments } = store
    const counted = async () => {
      const { customers, payers } = await payments.overview([])
      const { count, revenue, perPayer } = await payments.totals({ exceptPayers: [] })
      const { count: bought, revenue: spent } = await payments.purchasesOf('one', { limit: 1, offset: 0 })
      expect([count, revenue, payers]).toEqual([customers.count, customers.revenue, perPayer.length])
      expect([bought, spent]).toEqual([count, revenue])
      return count
    }
    await settling(store, 'k', { payer: 'one' })
    const known = await payments.find('k')
    await payments.void('k')
    expect(await counted()).toBe(0)
    await payments.settle('k', sampleOutcome())
    expect(await counted()).toBe(1)
    await payments.settle('k', sampleOutcome({ settledAtMs: DAY_MS, transaction: 'other' }))
    await payments.settle('k', sampleOutcome(), known)
    await payments.void('k')
    expect(await counted()).toBe(1)
    expect((await payments.totals({ exceptPayers: [] })).perDay).toEqual([
      { day: 0, count: 1, revenue: 1_000n },
    ])
  })
}
