import { expect, test } from 'vitest'
import type { OpenedStores } from '../opened-stores.ts'
import { settling } from '../payment-contract.ts'
import { sale } from '../some-sales.ts'

export function hintContract({ restart }: OpenedStores): void {
  test('what a facilitator named for a payment under way survives a restart, until the payment is decided', async () => {
    const { store, restarted } = await restart()
    await settling(store, 'open')
    await settling(store, 'void')
    await sale(store, 'settled', 1)
    for (const key of ['open', 'void', 'settled', 'nobody']) await store.hints.keep(key, `0x${key}`)
    await store.hints.keep('open', '0xlater')
    await store.payments.void('void')
    const back = await restarted()
    expect(await back.hints.load()).toEqual(new Map([['open', '0xlater']]))
    await back.payments.void('open')
    expect(await back.hints.load()).toEqual(new Map())
  })
}
