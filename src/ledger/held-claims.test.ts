import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createMemoryDisk, createMemoryStore } from '../testing/ledger/memory-store.ts'
import { sampleClaim, sampleOutcome, sampleReply } from '../testing/ledger/sample-claim.ts'
import { storeContract } from '../testing/ledger/store-contract.ts'
import { temporaryDir } from '../testing/ledger/temporary-dir.ts'
import { holdClaims } from './held-claims.ts'
import type { Store } from './ports/store.ts'
import { openSqliteStore } from './sqlite/store.ts'

const holding = (store: Store): Store => ({ ...store, payments: holdClaims(store.payments) })
const stores = {
  memory() {
    const disk = createMemoryDisk()
    return () => holding(createMemoryStore(disk))
  },
  SQLite() {
    const file = join(temporaryDir(), 'ledger.sqlite')
    return () => holding(openSqliteStore(file))
  },
}

for (const [name, make] of Object.entries(stores))
  storeContract(`${name}, holding claims,`, () => toTest(make()), { holdsClaims: true })

function toTest(open: () => Store) {
  return { open: async () => open(), reopen: async () => open() }
}

test('a claim is on disk once its reply is, and gone with its process before that', async () => {
  const open = stores.SQLite()
  const first = open()
  await first.payments.claim(sampleClaim('claimed', { identifier: 'once' }))
  await first.payments.claim(sampleClaim('prepared', { identifier: 'kept' }))
  await first.payments.prepare('prepared', 'id of prepared', sampleReply())
  const second = open()
  expect(await second.payments.unfinished()).toMatchObject([{ key: 'prepared', state: 'settling' }])
  expect(await second.payments.claim(sampleClaim('claimed', { identifier: 'once' }))).toEqual({ fresh: true })
  for (const taken of [sampleClaim('prepared'), sampleClaim('other', { identifier: 'kept' })])
    expect(await second.payments.claim(taken)).toMatchObject({ fresh: false, row: { key: 'prepared' } })
  expect(await second.payments.find('other')).toBeUndefined()
  for (const store of [first, second]) await store.close()
})

test('even two processes on one ledger, which the lock forbids, cannot both prepare a key or an identifier', async () => {
  const open = stores.SQLite()
  const [one, two] = [open(), open()]
  for (const [n, store] of [one, two].entries()) {
    await store.payments.claim(sampleClaim('k', { id: `a${n}` }))
    await store.payments.claim(sampleClaim(`l${n}`, { id: `b${n}`, identifier: 'once' }))
  }
  const prepared = [one, two].map(({ payments }, n) => payments.prepare('k', `a${n}`, sampleReply()))
  expect((await Promise.all(prepared)).sort()).toEqual([false, true])
  const named = [one, two].map(({ payments }, n) => payments.prepare(`l${n}`, `b${n}`, sampleReply()))
  expect((await Promise.all(named)).sort()).toEqual([false, true])
  // The losers hold nothing any more: the next claim gets the row that won.
  for (const { payments } of [one, two])
    expect(await payments.claim(sampleClaim('k'))).toMatchObject({ fresh: false, row: { state: 'settling' } })
  for (const store of [one, two]) await store.close()
})

test('a claim that turns out to be taken is not shown to others', async () => {
  const { payments } = stores.memory()()
  await payments.claim(sampleClaim('k'))
  await payments.prepare('k', 'id of k', sampleReply())
  await payments.settle('k', sampleOutcome())
  const claims = ['thief', 'owner'].map((fingerprint) => payments.claim(sampleClaim('k', { fingerprint })))
  for (const claimed of await Promise.all(claims))
    expect(claimed).toMatchObject({ fresh: false, row: { state: 'settled', fingerprint: 'print of k' } })
})

test('a claim whose reply could not be written is still held, and can be given back', async () => {
  const disk = createMemoryDisk()
  const inner = createMemoryStore(disk).payments
  let isFull = true
  const payments = holdClaims({
    ...inner,
    enter: (claim, reply) => (isFull ? Promise.reject(new Error('full')) : inner.enter(claim, reply)),
  })
  await payments.claim(sampleClaim('k'))
  await expect(payments.prepare('k', 'id of k', sampleReply())).rejects.toThrow('full')
  expect((await payments.claim(sampleClaim('k'))).fresh).toBe(false)
  await payments.release('k', 'id of k')
  isFull = false
  expect(await payments.claim(sampleClaim('k'))).toEqual({ fresh: true })
  expect(await payments.prepare('k', 'id of k', sampleReply())).toBe(true)
  expect([...disk.rows.keys()]).toEqual(['k'])
})

test('a ledger that cannot be asked about a claim leaves nothing held', async () => {
  const inner = createMemoryStore(createMemoryDisk()).payments
  let isOut = true
  const find = (key: string) => (isOut ? Promise.reject(new Error('out of order')) : inner.find(key))
  const payments = holdClaims({ ...inner, find })
  await expect(payments.claim(sampleClaim('k'))).rejects.toThrow('out of order')
  isOut = false
  expect(await payments.claim(sampleClaim('k'))).toEqual({ fresh: true })
})
