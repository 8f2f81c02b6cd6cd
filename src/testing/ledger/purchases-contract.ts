import { expect, test } from 'vitest'
import type { Store } from '../../ledger/ports/store.ts'
import type { OpenedStores } from './opened-stores.ts'
import { sampleClaim, sampleOutcome, sampleReply } from './sample-claim.ts'

export function purchasesContract({ open }: OpenedStores): void {
  const buy = async ({ payments }: Store, key: string, payer: string, settledAtMs: number) => {
    await payments.claim({ ...sampleClaim(key), payer, amount: '1000' })
    await payments.prepare(key, `id of ${key}`, sampleReply())
    await payments.settle(key, { ...sampleOutcome(), settledAtMs })
  }

  test('a payer finds its own settled purchases, newest first, and nobody else’s', async () => {
    const store = await open()
    await buy(store, 'a', 'one', 10)
    await buy(store, 'b', 'one', 30)
    await buy(store, 'c', 'two', 20)
    await buy(store, 'd', 'one', 20)
    await store.payments.claim({ ...sampleClaim('open'), payer: 'one' })
    const found = await store.payments.purchasesOf('one', { limit: 2, offset: 0 })
    expect([found.count, found.revenue]).toEqual([3, 3_000n])
    expect(found.rows.map(({ id }) => id)).toEqual(['id of b', 'id of d'])
    const { transaction } = sampleOutcome()
    expect(found.rows[0]).toMatchObject({ amount: '1000', transaction, settledAtMs: 30, hasReply: true })
    expect(found.rows[0]).not.toHaveProperty('reply')
    const rest = await store.payments.purchasesOf('one', { limit: 2, offset: 2 })
    expect(rest.rows.map(({ id }) => id)).toEqual(['id of a'])
    await store.payments.purgeReplies(25)
    const purged = await store.payments.purchasesOf('one', { limit: 9, offset: 0 })
    expect(purged.rows.map(({ hasReply }) => hasReply)).toEqual([true, false, false])
    expect(await store.payments.purchasesOf('nobody', { limit: 2, offset: 0 })).toEqual({
      count: 0,
      revenue: 0n,
      rows: [],
    })
  })
}
