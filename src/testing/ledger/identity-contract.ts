import { expect, test } from 'vitest'
import type { LedgerIdentity } from '../../ledger/ports/ledger-identity.ts'
import type { OpenedStores } from './opened-stores.ts'

const identity: LedgerIdentity = {
  ledgerId: '0123456789abcdef',
  mode: 'paper',
  payTo: { evm: `0x${'a'.repeat(40)}`, svm: '1'.repeat(32) },
  place: 'here',
}

export function identityContract({ open, restart }: OpenedStores): void {
  test('a new ledger is bound to nothing, then to what was saved, also after a restart', async () => {
    const { store, restarted } = await restart()
    expect(await store.identity.find()).toBeUndefined()
    await store.identity.save(identity)
    expect(await store.identity.find()).toEqual(identity)
    expect(await (await restarted()).identity.find()).toEqual(identity)
  })

  test('addresses and place can change, the mode and the id never', async () => {
    const store = await open()
    await store.identity.save(identity)
    const moved: LedgerIdentity = { ...identity, payTo: { ...identity.payTo, svm: '2' }, place: 'there' }
    await store.identity.save(moved)
    const refused = { code: 'store_unavailable' }
    await expect(store.identity.save({ ...moved, mode: 'live' })).rejects.toMatchObject(refused)
    await expect(store.identity.save({ ...moved, ledgerId: 'f'.repeat(16) })).rejects.toMatchObject(refused)
    expect(await store.identity.find()).toEqual(moved)
  })
}
