import { afterEach, describe, expect, test } from 'vitest'
import type { Store } from './store.ts'

export type StoreUnderTest = {
  open(): Promise<Store> /** Opens the same data again, as a new process would. */
  reopen(): Promise<Store>
}

/** What every store must do, whichever database stands behind it. */
export function storeContract(name: string, make: () => StoreUnderTest): void {
  describe(`${name} store`, () => {
    const opened: Store[] = []
    const keep = (store: Store) => {
      opened.push(store)
      return store
    }
    afterEach(async () => {
      for (const store of opened.splice(0)) await store.close()
    })

    test('answers a ping', async () => {
      await keep(await make().open()).ping()
    })

    test('keeps demo counts by day and client, the newest count wins', async () => {
      const store = keep(await make().open())
      await store.demo.save(
        10,
        new Map([
          ['a', 1],
          ['b', 2],
        ]),
      )
      await store.demo.save(10, new Map([['a', 3]]))
      await store.demo.save(11, new Map([['a', 9]]))
      expect(await store.demo.load(10)).toEqual(
        new Map([
          ['a', 3],
          ['b', 2],
        ]),
      )
      expect(await store.demo.load(11)).toEqual(new Map([['a', 9]]))
    })

    test('forgets earlier days when a later one is loaded', async () => {
      const store = keep(await make().open())
      await store.demo.save(10, new Map([['a', 1]]))
      await store.demo.load(11)
      expect(await store.demo.load(10)).toEqual(new Map())
    })

    test('saves all or nothing', async () => {
      const store = keep(await make().open())
      const bad = new Map([
        ['a', 1],
        ['b', -1],
      ])
      await expect(store.demo.save(10, bad)).rejects.toMatchObject({ code: 'store_unavailable' })
      expect(await store.demo.load(10)).toEqual(new Map())
    })

    test('survives being opened again', async () => {
      const world = make()
      const first = await world.open()
      await first.demo.save(10, new Map([['a', 4]]))
      await first.close()
      expect(await keep(await world.reopen()).demo.load(10)).toEqual(new Map([['a', 4]]))
    })
  })
}
