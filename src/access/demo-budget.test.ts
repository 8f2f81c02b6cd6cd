import { describe, expect, test } from 'vitest'
import { ServiceError } from '../core/service-error.ts'
import { createManualClock } from '../core/time/manual-clock.ts'
import { DAY_MS } from '../core/time/time.ts'
import type { DemoCounters } from '../ledger/ports/demo-counters.ts'
import { openSqliteStore } from '../ledger/sqlite/store.ts'
import { createCallCounts } from './call-counts.ts'
import { createDemoBudget } from './demo-budget.ts'

const NOON = Date.parse('2026-01-05T12:00:00Z')
const TODAY = Math.floor(NOON / DAY_MS)

function worldOf({
  perClientPerDay = 5,
  totalPerDay = 1_000,
  counters = openSqliteStore(':memory:').demo as DemoCounters,
} = {}) {
  const clock = createManualClock(NOON)
  const start = () =>
    createDemoBudget({ counts: createCallCounts({ clock, counters }), perClientPerDay, totalPerDay })
  return { clock, counters, start }
}

const failing = (reason: Error): DemoCounters => {
  const fail = () => Promise.reject(reason)
  return { load: fail, used: fail, take: fail, giveBack: fail }
}

describe('demo budget', () => {
  test('five calls a day, then none, and again the next UTC day', async () => {
    const { clock, start } = worldOf()
    const budget = start()
    const taken = await Promise.all(
      Array.from({ length: 7 }, async () => (await budget.take('1.2.3.4'))?.remaining),
    )
    expect(taken).toEqual([4, 3, 2, 1, 0, undefined, undefined])
    expect((await budget.take('9.9.9.9'))?.remaining).toBe(4)
    clock.advanceTo(NOON + DAY_MS / 2)
    expect((await budget.take('1.2.3.4'))?.remaining).toBe(4)
  })

  test('a call given back can be used again, but only once and on its own day', async () => {
    const { clock, start } = worldOf({ perClientPerDay: 2 })
    const budget = start()
    const first = await budget.take('a')
    await budget.take('a')
    await first?.giveBack()
    await first?.giveBack()
    expect(await budget.remaining('a')).toBe(1)
    const call = await budget.take('a')
    clock.advance(DAY_MS)
    await budget.take('a')
    await call?.giveBack()
    expect(await budget.remaining('a')).toBe(1)
  })

  test('what was taken survives a restart: it may be lost, and is never had twice', async () => {
    const { start } = worldOf()
    const before = start()
    for (const client of ['a', 'b', 'a']) await before.take(client)
    const after = start()
    expect(await Promise.all(['a', 'b', 'c'].map((client) => after.remaining(client)))).toEqual([3, 4, 5])
  })

  test('the cap over all clients bounds address farms', async () => {
    const budget = worldOf({ totalPerDay: 10 }).start()
    const taken = await Promise.all(
      Array.from({ length: 50 }, (_, client) => budget.take(`client-${client}`)),
    )
    expect(taken.filter(Boolean)).toHaveLength(10)
    expect(await budget.remaining('somebody-else')).toBe(0)
  })

  test('calls that are given back leave nothing behind, and the cap bounds what the others leave', async () => {
    const { start, counters } = worldOf({ totalPerDay: 100 })
    const budget = start()
    const clients = Array.from({ length: 1_000 }, (_, n) => `client-${n}`)
    for (const client of clients.slice(0, 50)) await (await budget.take(client))?.giveBack()
    expect((await counters.load(TODAY)).size).toBe(0)
    await Promise.all(clients.map((client) => budget.take(client)))
    // All clients together are counted beside them.
    expect((await counters.load(TODAY)).size).toBe(101)
  })

  test('an IPv6 customer with 65,536 lines has four times the calls of one line', async () => {
    const { start } = worldOf()
    const lineOf = (customer: string, n: number) => `${customer}${n.toString(16).padStart(4, '0')}/64`
    const budget = start()
    const taken = await Promise.all(
      Array.from({ length: 100 }, (_, n) => budget.take(lineOf('20010db80001', n))),
    )
    const granted = taken.filter(Boolean)
    expect(granted).toHaveLength(20)
    expect(await budget.remaining(lineOf('20010db80001', 500))).toBe(0)
    expect((await budget.take(lineOf('20010db80002', 0)))?.remaining).toBe(4)
    await granted[0]?.giveBack()
    expect(await start().remaining(lineOf('20010db80001', 500))).toBe(1)
  })

  test('a store that cannot write says so to every call it concerns; what is left is told as none', async () => {
    const counters = failing(new ServiceError('store_unavailable', 'disk full'))
    const budget = worldOf({ counters }).start()
    await expect(budget.take('a')).rejects.toMatchObject({ code: 'store_unavailable' })
    expect(await budget.remaining('a')).toBe(0)
  })

  test('where a shared count is lost nobody has a free call, and nobody is kept from paying', async () => {
    const counters = failing(new ServiceError('counters_unavailable', 'lost'))
    const budget = worldOf({ counters }).start()
    expect([await budget.take('a'), await budget.remaining('a')]).toEqual([undefined, 0])
  })

  test('a call that cannot be given back is lost for the day, and nobody hears of it', async () => {
    const { counters } = worldOf()
    const lame = { ...counters, giveBack: () => Promise.reject(new Error('gone')) }
    const budget = worldOf({ counters: lame }).start()
    await (await budget.take('a'))?.giveBack()
    expect(await budget.remaining('a')).toBe(4)
  })

  test('zero turns it off, and no store is asked', async () => {
    const budget = worldOf({ perClientPerDay: 0, counters: failing(new Error('asked')) }).start()
    expect([budget.limit, await budget.take('a'), await budget.remaining('a')]).toEqual([0, undefined, 0])
  })
})
