import { describe, expect, test } from 'vitest'
import { CLAIM_LEASE_MS, type Turn } from '../../ledger/ports/payment-book.ts'
import type { PaymentLedger } from '../../ledger/ports/payment-book-queries.ts'
import type { OpenedStores } from './opened-stores.ts'
import { settling } from './payment-contract.ts'
import { sampleClaim, sampleOutcome, sampleReply } from './sample-claim.ts'

const CLAIMED_MS = 1_000
const PAUSES = { firstMs: 2_000, maxMs: 15_000 }
const LAST_MS = CLAIMED_MS + CLAIM_LEASE_MS

export function leaseContract(opened: OpenedStores): void {
  // Claims held in memory live as long as their process.
  if (!opened.holdsClaims) claimLeases(opened)
  turns(opened)
}

function claimLeases({ open }: OpenedStores): void {
  describe('claims are leases', () => {
    test('one whose owner was not heard for so long is released, and its key is free', async () => {
      const { payments } = await open()
      await payments.claim(sampleClaim('k', { identifier: 'once', claimedAtMs: CLAIMED_MS }))
      expect(await payments.releaseExpired(LAST_MS)).toBe(0)
      expect((await payments.find('k'))?.state).toBe('claimed')
      expect(await payments.releaseExpired(LAST_MS + 1)).toBe(1)
      expect(await payments.claim(sampleClaim('k', { id: 'next', identifier: 'once' }))).toEqual({
        fresh: true,
      })
    })

    test('one that is renewed lives on, and only that one', async () => {
      const { payments } = await open()
      for (const key of ['renewed', 'silent'])
        await payments.claim(sampleClaim(key, { claimedAtMs: CLAIMED_MS }))
      await payments.renew(['id of renewed', 'id of nobody'], LAST_MS)
      expect(await payments.releaseExpired(LAST_MS + 1)).toBe(1)
      expect((await payments.find('renewed'))?.state).toBe('claimed')
      expect(await payments.find('silent')).toBeUndefined()
    })

    test('who comes back too late prepares nothing, neither with nor without a successor', async () => {
      const { payments } = await open()
      await payments.claim(sampleClaim('k', { id: 'first', claimedAtMs: CLAIMED_MS }))
      await payments.releaseExpired(LAST_MS + 1)
      expect(await payments.prepare('k', 'first', sampleReply())).toBe(false)
      await payments.claim(sampleClaim('k', { id: 'second' }))
      expect(await payments.prepare('k', 'first', sampleReply({ text: 'late' }))).toBe(false)
      await payments.release('k', 'first')
      await payments.renew(['first'], LAST_MS)
      expect(await payments.prepare('k', 'second', sampleReply({ text: 'second' }))).toBe(true)
      expect((await payments.find('k'))?.reply?.text).toBe('second')
    })

    test('what is prepared never expires and is not renewed', async () => {
      const store = await open()
      await settling(store, 'k', { claimedAtMs: CLAIMED_MS })
      await store.payments.renew(['id of k'], LAST_MS)
      expect(await store.payments.releaseExpired(Number.MAX_SAFE_INTEGER)).toBe(0)
      expect(await store.payments.find('k')).toMatchObject({ state: 'settling', claimedAtMs: CLAIMED_MS })
    })
  })
}

const take = async (payments: PaymentLedger, nowMs: number, given: Partial<Turn> = {}) =>
  (await payments.takeDue({ nowMs, limit: 10, pauses: PAUSES, ...given })).map(({ key }) => key)

function turns({ open, openTwice, isShared }: OpenedStores): void {
  describe('turns of settling payments', () => {
    test('come at once, then after pauses that grow, until it is decided', async () => {
      const store = await open()
      await settling(store, 'k')
      const seconds: number[] = []
      for (let second = 10; second <= 60; second++)
        if ((await take(store.payments, second * 1_000)).length > 0) seconds.push(second)
      expect(seconds).toEqual([10, 12, 16, 24, 39, 54])
      await store.payments.settle('k', sampleOutcome())
      expect(await take(store.payments, 1_000_000)).toEqual([])
    })

    test('are given for so many, and the others come next', async () => {
      const store = await open()
      const keys = ['a', 'b', 'c', 'd', 'e']
      for (const [n, key] of keys.entries()) await settling(store, key, { claimedAtMs: 1_000 + n })
      expect(await take(store.payments, 10_000, { limit: 3 })).toEqual(['a', 'b', 'c'])
      const next = await take(store.payments, 12_000, { limit: 3 })
      expect(next).toHaveLength(3)
      expect(next).toEqual(expect.arrayContaining(['d', 'e']))
    })

    test('of claims, of settled and of void payments never come', async () => {
      const store = await open()
      await store.payments.claim(sampleClaim('claimed'))
      for (const key of ['settled', 'void', 'settling']) await settling(store, key)
      await store.payments.settle('settled', sampleOutcome())
      await store.payments.void('void')
      expect(await take(store.payments, 10_000)).toEqual(['settling'])
    })

    // A ledger of one process keeps turns in memory.
    const testShared = isShared ? test : () => {}
    testShared('are given to one of several processes', async () => {
      const [one, two] = await openTwice()
      const keys = Array.from({ length: 40 }, (_, n) => `k${n}`)
      for (const key of keys) await settling(one, key)
      for (let round = 0; round < 5; round++) {
        const nowMs = 100_000 * (round + 1)
        const asked = [one, two, one, two].map(({ payments }) => take(payments, nowMs, { limit: 40 }))
        expect((await Promise.all(asked)).flat().sort()).toEqual(keys.toSorted())
      }
    })
  })
}
