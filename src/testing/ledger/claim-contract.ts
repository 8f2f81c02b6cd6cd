import { describe, expect, test } from 'vitest'
import type { Claim } from '../../ledger/ports/payment-book.ts'
import type { Store } from '../../ledger/ports/store.ts'
import type { OpenedStores } from './opened-stores.ts'
import { sampleClaim, sampleOutcome, sampleReply } from './sample-claim.ts'

const RACERS = 100
type Claims = readonly [Store, Claim][]

/** Which of the concurrent claims were fresh, and the ids of the rows that the others got. */
async function race(claims: Claims): Promise<{ fresh: Claim[]; shown: Set<string> }> {
  const answers = await Promise.all(claims.map(([store, claim]) => store.payments.claim(claim)))
  const fresh = claims.filter((_, index) => answers[index]?.fresh).map(([, claim]) => claim)
  return { fresh, shown: new Set(answers.flatMap((answer) => (answer.fresh ? [] : [answer.row.id]))) }
}

export function claimContract(opened: OpenedStores): void {
  const { open, openTwice, restart, holdsClaims, keepsOrder } = opened
  describe('claims', () => {
    test('of 100 claims of one key at once exactly one is fresh', async () => {
      const store = await open()
      const claims = Array.from({ length: RACERS }, (_, n) => sampleClaim('k', { id: `id ${n}` }))
      const { fresh, shown } = await race(claims.map((claim) => [store, claim]))
      expect(fresh).toEqual(keepsOrder ? [claims[0]] : [expect.anything()])
      expect(shown).toEqual(new Set([fresh[0]?.id]))
      expect(await store.payments.find('k')).toMatchObject({ ...fresh[0], state: 'claimed' })
    })

    test('of 100 claims of one identifier at once exactly one is fresh', async () => {
      const store = await open()
      const claims = Array.from({ length: RACERS }, (_, n) => sampleClaim(`k${n}`, { identifier: 'once' }))
      const { fresh, shown } = await race(claims.map((claim) => [store, claim]))
      expect(fresh).toEqual(keepsOrder ? [claims[0]] : [expect.anything()])
      expect(shown).toEqual(new Set([fresh[0]?.id]))
      const found = await Promise.all(claims.map(({ key }) => store.payments.find(key)))
      expect(found.filter((row) => row !== undefined)).toMatchObject(fresh)
      expect(await store.payments.findByIdentifier('once')).toMatchObject({ ...fresh[0] })
    })

    // Claims held in memory are known to one process only, and their id is written with the reply.
    const testWritten = holdsClaims ? () => {} : test
    testWritten('two processes on the same data cannot both have a key', async () => {
      const [one, two] = await openTwice()
      const claims: Claims = Array.from({ length: RACERS }, (_, n) => [
        n % 2 ? one : two,
        sampleClaim(`k${n % 10}`, { id: `id ${n}` }),
      ])
      const { fresh } = await race(claims)
      expect(fresh.map(({ key }) => key).sort()).toEqual(Array.from({ length: 10 }, (_, n) => `k${n}`))
    })

    test('any number of claims may come without an identifier', async () => {
      const store = await open()
      const claims = Array.from({ length: 5 }, (_, n) => sampleClaim(`k${n}`))
      expect((await race(claims.map((claim) => [store, claim]))).fresh).toHaveLength(5)
    })

    test.each(['', '-1', '01', '1.0', '1e3', '0x10', ' 1', '1000000000000000000'])(
      'an amount of %j is refused and leaves no row',
      async (amount) => {
        const { payments } = await open()
        await expect(payments.claim(sampleClaim('k', { amount }))).rejects.toThrow(RangeError)
        expect(await payments.find('k')).toBeUndefined()
      },
    )

    testWritten('an id given out twice is a bug, not another claim', async () => {
      const { payments } = await open()
      await payments.claim(sampleClaim('k', { id: 'same' }))
      await expect(payments.claim(sampleClaim('l', { id: 'same' }))).rejects.toThrow(/id/)
    })
  })
  releaseContract(open)
  unfinishedContract(open)
  if (!holdsClaims) restartContract(restart)
}

function releaseContract(open: OpenedStores['open']): void {
  describe('release', () => {
    test('frees key and identifier', async () => {
      const { payments } = await open()
      await payments.claim(sampleClaim('k', { identifier: 'once' }))
      await payments.release('k', 'id of k')
      expect(await payments.find('k')).toBeUndefined()
      expect(await payments.claim(sampleClaim('l', { identifier: 'once' }))).toEqual({ fresh: true })
      expect(await payments.claim(sampleClaim('k'))).toEqual({ fresh: true })
    })

    test('belongs to who made the claim', async () => {
      const { payments } = await open()
      await payments.claim(sampleClaim('k'))
      await payments.release('k', 'another')
      expect((await payments.find('k'))?.state).toBe('claimed')
    })

    test('comes too late once a reply is stored', async () => {
      const { payments } = await open()
      await payments.claim(sampleClaim('k'))
      await payments.prepare('k', 'id of k', sampleReply())
      await payments.release('k', 'id of k')
      expect((await payments.find('k'))?.state).toBe('settling')
    })
  })
}

function unfinishedContract(open: OpenedStores['open']): void {
  test('unfinished rows are those that are neither settled nor void, oldest first', async () => {
    const { payments } = await open()
    for (const [n, state] of (['claimed', 'settling', 'settled', 'void'] as const).entries()) {
      await payments.claim(sampleClaim(state, { claimedAtMs: 100 - n }))
      if (state !== 'claimed') await payments.prepare(state, `id of ${state}`, sampleReply())
      if (state === 'settled') await payments.settle(state, sampleOutcome())
      if (state === 'void') await payments.void(state)
    }
    expect((await payments.unfinished()).map(({ key }) => key)).toEqual(['settling', 'claimed'])
  })
}

function restartContract(restart: OpenedStores['restart']): void {
  test('a restart keeps everything', async () => {
    const { store, restarted } = await restart()
    await store.payments.claim(sampleClaim('a', { identifier: 'once' }))
    await store.payments.claim(sampleClaim('b'))
    await store.payments.prepare('b', 'id of b', sampleReply())
    await store.payments.settle('b', sampleOutcome())
    const before = [await store.payments.find('a'), await store.payments.find('b')]
    const { payments } = await restarted()
    expect([await payments.find('a'), await payments.find('b')]).toEqual(before)
    expect((await payments.claim(sampleClaim('b'))).fresh).toBe(false)
    expect((await payments.claim(sampleClaim('c', { identifier: 'once' }))).fresh).toBe(false)
  })
}
