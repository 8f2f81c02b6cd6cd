import { describe, expect, test } from 'vitest'
import { DAY_MS } from '../../core/time/time.ts'
import type { UsageEvent } from '../../ledger/ports/usage-log.ts'
import type { OpenedStores } from './opened-stores.ts'

const call = (given: Partial<UsageEvent> = {}): UsageEvent => ({
  atMs: DAY_MS,
  productId: 'price',
  via: 'demo',
  status: 200,
  ms: 2,
  ...given,
})
const untimed = { timed: 0, totalMs: 0, maxMs: 0 }

export function usageContract({ open, restart }: OpenedStores): void {
  describe('usage', () => {
    test('is added up per day, product, way and status', async () => {
      const { usage } = await open()
      for (const ms of [2, 5.5, undefined]) usage.record(call({ ms }))
      usage.record(call({ via: 'paid' }))
      expect(await usage.perDay(0)).toHaveLength(2)
      usage.record(call({ ms: 1 }))
      usage.record(call({ status: 503, ms: undefined }))
      usage.record(call({ atMs: 2 * DAY_MS, productId: 'a', ms: undefined }))
      expect(await usage.perDay(0)).toEqual([
        {
          day: 1,
          productId: 'price',
          via: 'demo',
          status: 200,
          calls: 4,
          timed: 3,
          totalMs: 8.5,
          maxMs: 5.5,
        },
        { day: 1, productId: 'price', via: 'demo', status: 503, calls: 1, ...untimed },
        { day: 1, productId: 'price', via: 'paid', status: 200, calls: 1, timed: 1, totalMs: 2, maxMs: 2 },
        { day: 2, productId: 'a', via: 'demo', status: 200, calls: 1, ...untimed },
      ])
      expect(await usage.perDay(2 * DAY_MS + 5)).toHaveLength(1)
    })

    test('survives an orderly restart', async () => {
      const { store, restarted } = await restart()
      store.usage.record(call())
      expect(await (await restarted()).usage.perDay(0)).toMatchObject([{ calls: 1 }])
    })
  })
}
