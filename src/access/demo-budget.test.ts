import { describe, expect, test } from 'vitest'
import { createManualClock } from '../core/time/manual-clock.ts'
import { DAY_MS } from '../core/time/time.ts'
import type { DemoCounters } from '../ledger/ports/store.ts'
import { openSqliteStore } from '../ledger/sqlite/store.ts'
import { createCallCounts } from './call-counts.ts'
import { createDemoBudget } from './demo-budget.ts'

const NOON = Date.parse('2026-01-05T12:00:00Z')

function worldOf({
  perClientPerDay = 5,
  totalPerDay = 1_000,
  counters = openSqliteStore(':memory:').demo as DemoCounters,
} = {}) {
  const clock = createManualClock(NOON)
  const start = async () =>
    createDemoBudget({ counts: await createCallCounts({ clock, counters }), perClientPerDay, totalPerDay })
  return { clock, counters, start }
}

describe('demo budget', () => {
  test('five calls a day, then none, and again the next UTC day', async () => {
    const { clock, start } = worldOf()
    const budget = await start()
    const taken = Array.from({ length: 7 }, () => budget.take('1.2.3.4')?.remaining)
    expect(taken).toEqual([4, 3, 2, 1, 0, undefined, undefined])
    expect(budget.take('9.9.9.9')?.remaining).toBe(4)
    clock.advanceTo(NOON + DAY_MS / 2)
    expect(budget.take('1.2.3.4')?.remaining).toBe(4)
  })

  test('a call given back can be used again, but only on its own day', async () => {
    const { clock, start } = worldOf({ perClientPerDay: 1 })
    const budget = await start()
    budget.take('a')?.giveBack()
    const call = budget.take('a')
    expect(call).toBeDefined()
    clock.advance(DAY_MS)
    call?.giveBack()
    expect([budget.take('a'), budget.take('a')].filter(Boolean)).toHaveLength(1)
  })

  test('what was spent survives a restart, what was only taken does not', async () => {
    const { start } = worldOf()
    const before = await start()
    await before.take('a')?.spend()
    await before.take('b')?.spend()
    await before.take('a')?.spend()
    before.take('c')
    const after = await start()
    expect(['a', 'b', 'c'].map((client) => after.remaining(client))).toEqual([3, 4, 5])
  })

  test('the cap over all clients bounds address farms', async () => {
    const { start } = worldOf({ totalPerDay: 10 })
    const budget = await start()
    const granted = Array.from({ length: 50 }, (_, client) => budget.take(`client-${client}`)).filter(Boolean)
    expect(granted).toHaveLength(10)
    expect(budget.remaining('somebody-else')).toBe(0)
  })

  test('calls that are given back leave nothing behind, and the cap bounds what the others leave', async () => {
    const { clock, counters } = worldOf()
    const counts = await createCallCounts({ clock, counters })
    const budget = createDemoBudget({ counts, perClientPerDay: 5, totalPerDay: 100 })
    for (let client = 0; client < 10_000; client++) budget.take(`client-${client}`)?.giveBack()
    expect(counts.size()).toBe(0)
    for (let client = 0; client < 10_000; client++) await budget.take(`client-${client}`)?.spend()
    // All clients together are counted beside them.
    expect(counts.size()).toBe(101)
  })

  test('an IPv6 customer with 65,536 lines has four times the calls of one line', async () => {
    const { start } = worldOf()
    const lineOf = (customer: string, n: number) => `${customer}${n.toString(16).padStart(4, '0')}/64`
    const budget = await start()
    const granted = Array.from({ length: 100 }, (_, n) => budget.take(lineOf('20010db80001', n))).filter(
      Boolean,
    )
    expect(granted).toHaveLength(20)
    expect(budget.remaining(lineOf('20010db80001', 500))).toBe(0)
    expect(budget.take(lineOf('20010db80002', 0))?.remaining).toBe(4)
    granted[0]?.giveBack()
    expect(budget.remaining(lineOf('20010db80001', 500))).toBe(1)
    await Promise.all(granted.slice(1).map((call) => call?.spend()))
    expect((await start()).remaining(lineOf('20010db80001', 500))).toBe(1)
  })

  test('calls of one turn share one write', async () => {
    const saves: number[] = []
    const counters: DemoCounters = {
      load: async () => new Map(),
      save: async (_, used) => void saves.push(used.size),
    }
    const budget = await worldOf({ counters }).start()
    await Promise.all(Array.from({ length: 20 }, (_, client) => budget.take(`c${client}`)?.spend()))
    expect(saves).toEqual([21])
  })

  test('a store that cannot write says so to every call it concerns', async () => {
    const counters: DemoCounters = {
      load: async () => new Map(),
      save: () => Promise.reject(new Error('disk full')),
    }
    const budget = await worldOf({ counters }).start()
    await expect(budget.take('a')?.spend()).rejects.toThrow('disk full')
  })

  test('zero turns it off', async () => {
    const budget = await worldOf({ perClientPerDay: 0 }).start()
    expect([budget.limit, budget.take('a')]).toEqual([0, undefined])
  })
})
