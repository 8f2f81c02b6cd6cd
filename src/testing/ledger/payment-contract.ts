import { describe, expect, test } from 'vitest'
import type { Store } from '../../ledger/ports/store.ts'
import type { OpenedStores } from './opened-stores.ts'
import { sampleClaim, sampleOutcome, sampleReply } from './sample-claim.ts'

export async function settling(
  { payments }: Pick<Store, 'payments'>,
  key: string,
  given = {},
): Promise<void> {
  const claim = sampleClaim(key, given)
  await payments.claim(claim)
  await payments.prepare(key, claim.id, sampleReply())
}

export function paymentContract({ open, keepsOrder }: OpenedStores): void {
  describe('payments', () => {
    test('are kept as they were given, from claim to settlement', async () => {
      const { payments } = await open()
      const claim = sampleClaim('k', { identifier: 'once', amount: '999999999999999999' })
      await payments.claim(claim)
      const unsettled = { facilitator: undefined, transaction: undefined, settledAtMs: undefined }
      expect(await payments.find('k')).toEqual({ ...claim, state: 'claimed', reply: undefined, ...unsettled })

      expect(await payments.prepare('k', 'id of k', sampleReply())).toBe(true)
      const prepared = { ...claim, state: 'settling', reply: sampleReply(), ...unsettled }
      expect(await payments.find('k')).toEqual(prepared)

      const { receipt, ...outcome } = sampleOutcome()
      const settled = { ...claim, state: 'settled', reply: sampleReply({ receipt }), ...outcome }
      expect(await payments.settle('k', { ...outcome, receipt })).toEqual({ ...settled, revived: false })
      expect(await payments.find('k')).toEqual(settled)
      expect(await payments.findById(claim.id)).toEqual(settled)
      expect(await payments.findByIdentifier('once')).toEqual(settled)
    })

    test('are prepared once, and only by who claimed them', async () => {
      const { payments } = await open()
      await payments.claim(sampleClaim('k'))
      expect(await payments.prepare('k', 'another', sampleReply({ text: 'theirs' }))).toBe(false)
      expect(await payments.prepare('unknown', 'id of k', sampleReply())).toBe(false)
      const twice = ['first', 'second'].map((text) => payments.prepare('k', 'id of k', sampleReply({ text })))
      const [isFirst, isSecond] = await Promise.all(twice)
      expect([isFirst, isSecond].sort()).toEqual([false, true])
      if (keepsOrder) expect(isFirst).toBe(true)
      expect((await payments.find('k'))?.reply?.text).toBe(isFirst ? 'first' : 'second')
    })

    test('keep their first settlement', async () => {
      const store = await open()
      await settling(store, 'k')
      const first = await store.payments.settle('k', sampleOutcome())
      const second = await store.payments.settle(
        'k',
        sampleOutcome({ transaction: 'other', receipt: 'other' }),
      )
      expect(second).toEqual(first)
      await store.payments.void('k')
      expect((await store.payments.find('k'))?.state).toBe('settled')
    })

    test('cannot be settled before a reply is stored, nor when unknown', async () => {
      const { payments } = await open()
      await payments.claim(sampleClaim('k'))
      expect((await payments.settle('k', sampleOutcome()))?.state).toBe('claimed')
      expect(await payments.settle('unknown', sampleOutcome())).toBeUndefined()
    })

    test.each([
      ['late', 'late'],
      [undefined, 'early'],
    ])('settled with receipt %j after an early one have %j', async (receipt, kept) => {
      const { payments } = await open()
      await payments.claim(sampleClaim('k'))
      await payments.prepare('k', 'id of k', sampleReply({ receipt: 'early' }))
      expect((await payments.settle('k', sampleOutcome({ receipt })))?.reply?.receipt).toBe(kept)
    })
  })
  voidContract(open)
  knownRowContract(open)
}

function knownRowContract(open: OpenedStores['open']): void {
  test('settle returns the same row with and without the prepared row, from every state before', async () => {
    const { payments } = await open()
    for (const before of ['settling', 'void', 'settled']) {
      const key = `was ${before}`
      await settling({ payments }, key)
      const known = await payments.find(key)
      if (before === 'void') await payments.void(key)
      if (before === 'settled') await payments.settle(key, sampleOutcome({ transaction: 'first' }))
      const row = await payments.settle(key, sampleOutcome(), known)
      expect(row).toEqual({ ...(await payments.find(key)), revived: before === 'void' })
      expect(row?.transaction).toBe(before === 'settled' ? 'first' : sampleOutcome().transaction)
    }
  })
}

function voidContract(open: OpenedStores['open']): void {
  describe('void payments', () => {
    test('come out of settling only', async () => {
      const store = await open()
      await store.payments.claim(sampleClaim('claimed'))
      await store.payments.void('claimed')
      expect((await store.payments.find('claimed'))?.state).toBe('claimed')
      await settling(store, 'k')
      await store.payments.void('k')
      expect(await store.payments.find('k')).toMatchObject({ state: 'void', reply: sampleReply() })
    })

    test('become settled when the money moved after all, and say so', async () => {
      const store = await open()
      await settling(store, 'k')
      await store.payments.void('k')
      expect(await store.payments.settle('k', sampleOutcome())).toMatchObject({
        state: 'settled',
        revived: true,
        reply: sampleReply({ receipt: 'signed receipt' }),
      })
    })
  })
}
