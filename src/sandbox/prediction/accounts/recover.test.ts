import { expect, test } from 'vitest'
import { silentLog } from '../../../core/log.ts'
import type { Custody } from '../custody.ts'
import { openAccountStore } from './account-store.ts'
import { recover } from './recover.ts'

const market = (number: number) => ({
  ...{ id: `m${number}`, slug: `m${number}`, eventSlug: '', question: '', endsMs: 1 },
  ...{ outcomes: ['Up', 'Down'] as [string, string], tokenIds: ['1', '2'] as [string, string] },
})
const custodyThat = (isKnown: (id: string) => boolean, asked: string[] = []) =>
  ({
    async payoutsOf(id: string) {
      asked.push(id)
      return isKnown(id) ? [1n, 0n] : undefined
    },
  }) as unknown as Custody

test('a resolution that the chain has lost is told again, and old ones are not asked for', async () => {
  const store = openAccountStore({ log: silentLog })
  for (let number = 0; number < 100; number++)
    store.markets.put({ ...market(number), winner: 0, resolvedMs: 1, toldMs: number })
  const asked: string[] = []
  await recover(
    store,
    custodyThat((id) => Number(id.slice(1)) < 97, asked),
    silentLog,
  )
  const open = store.markets.all().filter(({ winner }) => winner === undefined)
  expect(open).toEqual([market(97), market(98), market(99)])
  expect(asked).toHaveLength(23)
})

test('a chain that begins anew has lost everything', async () => {
  const store = openAccountStore({ log: silentLog })
  for (let number = 0; number < 100; number++)
    store.markets.put({ ...market(number), winner: 1, toldMs: number })
  const warnings: unknown[] = []
  await recover(
    store,
    custodyThat(() => false),
    { ...silentLog, warn: (facts) => void warnings.push(facts) },
  )
  expect(store.markets.all().filter(({ winner }) => winner !== undefined)).toEqual([])
  expect(warnings).toEqual([{ lost: 100 }])
})
