import { describe, expect, test } from 'vitest'
import { DAY_MS } from '../../../core/time/time.ts'
import { CAUSE_MAX_CHARS, INCIDENTS_KEPT, UPTIME_DAYS_KEPT } from '../../../ledger/ports/uptime-book.ts'
import type { OpenedStores } from '../opened-stores.ts'
import { sampleDay, sampleIncident } from './sample-uptime.ts'

const DAY = 100
const life = { atMs: DAY * DAY_MS, isStop: false }
const nothing = { days: [], incidents: [] }

export function uptimeContract(opened: OpenedStores): void {
  describe('uptime', () => {
    keepingContract(opened)
    boundsContract(opened)
  })
}

function keepingContract({ open, openTwice, restart }: OpenedStores): void {
  test('of a new ledger is empty', async () => {
    expect(await (await open()).uptime.load(0)).toEqual({ life: undefined, ...nothing })
  })

  test('is added up by day and part, and survives a restart', async () => {
    const { store, restarted } = await restart()
    await store.uptime.save({ life, days: [sampleDay(), sampleDay({ part: 'disk' })], incidents: [] })
    const later = { atMs: life.atMs + 60_000, isStop: true }
    const slow = sampleDay({ ok: 0, degraded: 1, down: 2, totalMs: 7.5, maxMs: 7.5 })
    await store.uptime.save({ life: later, days: [slow, sampleDay({ day: 101 })], incidents: [] })
    const { uptime } = await restarted()
    const whole = sampleDay({ degraded: 1, down: 2, timed: 2, totalMs: 9.5, maxMs: 7.5 })
    const days = [sampleDay({ part: 'disk' }), whole, sampleDay({ day: 101 })]
    expect(await uptime.load(0)).toEqual({ life: later, days, incidents: [] })
    expect((await uptime.load(101)).days).toEqual([sampleDay({ day: 101 })])
  })

  test('keeps incidents, newest first; the newest word on one counts', async () => {
    const { uptime } = await open()
    const old = sampleIncident({ isPlanned: true, cause: `"it's" <b> 日本` })
    const other = sampleIncident({ part: 'disk' })
    const young = sampleIncident({ beganMs: 2_000, worst: 'degraded' })
    await uptime.save({ life, days: [], incidents: [young, old, other] })
    await uptime.save({ life, days: [], incidents: [{ ...young, worst: 'down', endedMs: 3_000 }] })
    expect((await uptime.load(0)).incidents).toEqual([
      { ...young, worst: 'down', endedMs: 3_000 },
      other,
      old,
    ])
  })

  test('of two processes is added up, also where both save at once', async () => {
    const stores = await openTwice()
    const days = [sampleDay(), sampleDay({ part: 'disk' })]
    const incidents = ['disk', 'oracle'].map((part) => sampleIncident({ part }))
    const entries = [
      { ...nothing, life, days },
      { ...nothing, life, days: days.toReversed() },
      { ...nothing, life, incidents },
      { ...nothing, life, incidents: incidents.toReversed() },
    ]
    await Promise.all(stores.flatMap(({ uptime }) => entries.map((each) => uptime.save(each))))
    const kept = await stores[0].uptime.load(0)
    expect(kept.days.map(({ part, ok, timed }) => [part, ok, timed])).toEqual([
      ['disk', 4, 4],
      ['oracle', 4, 4],
    ])
    expect(kept.incidents).toEqual(incidents)
  })

  test('adds up a day that is named twice; the last word on an incident counts', async () => {
    const { uptime } = await open()
    const ended = sampleIncident({ endedMs: 3_000 })
    await uptime.save({
      life,
      days: [sampleDay(), sampleDay({ maxMs: 5 })],
      incidents: [sampleIncident(), ended],
    })
    const { days, incidents } = await uptime.load(0)
    expect(days).toEqual([sampleDay({ ok: 2, timed: 2, totalMs: 4, maxMs: 5 })])
    expect(incidents).toEqual([ended])
  })

  test('is saved all or nothing', async () => {
    const { uptime } = await open()
    const tooLong = sampleIncident({ cause: 'x'.repeat(CAUSE_MAX_CHARS + 1) })
    const saving = uptime.save({ life, days: [sampleDay()], incidents: [tooLong] })
    await expect(saving).rejects.toMatchObject({ code: 'store_unavailable' })
    expect(await uptime.load(0)).toEqual({ life: undefined, ...nothing })
  })
}

function boundsContract({ open }: OpenedStores): void {
  test(`forgets what is older than the newest ${UPTIME_DAYS_KEPT} measured days, and incidents that ended before`, async () => {
    const { uptime } = await open()
    const days = Array.from({ length: UPTIME_DAYS_KEPT + 1 }, (_, n) => sampleDay({ day: DAY + n }))
    const ended = sampleIncident({ beganMs: 1, endedMs: (DAY + 1) * DAY_MS - 1 })
    const goesOn = sampleIncident({ beganMs: 2 })
    const atMs = (DAY + UPTIME_DAYS_KEPT) * DAY_MS
    await uptime.save({
      life: { atMs: atMs - DAY_MS, isStop: false },
      days: days.slice(0, -1),
      incidents: [],
    })
    expect((await uptime.load(0)).days).toHaveLength(UPTIME_DAYS_KEPT)
    await uptime.save({ life: { atMs, isStop: false }, days: days.slice(-1), incidents: [ended, goesOn] })
    const kept = await uptime.load(0)
    expect([kept.days.length, kept.days[0]?.day]).toEqual([UPTIME_DAYS_KEPT, DAY + 1])
    expect(kept.incidents).toEqual([goesOn])
  })

  test.each([
    ['years ahead', 30_000],
    ['behind', -50],
  ])('a clock that was %s for a while costs no history', async (_, offDays) => {
    const { uptime } = await open()
    const days = [sampleDay(), sampleDay({ part: 'disk' })]
    await uptime.save({ life, days, incidents: [sampleIncident({ beganMs: life.atMs })] })
    const wrong = { atMs: (DAY + offDays) * DAY_MS, isStop: false }
    await uptime.save({ life: wrong, days: [sampleDay({ day: DAY + offDays })], incidents: [] })
    await uptime.save({ life, ...nothing })
    const kept = await uptime.load(0)
    expect(kept.days).toEqual(expect.arrayContaining(days))
    expect(kept.days).toHaveLength(3)
    expect(kept.incidents).toHaveLength(1)
  })

  test('the sign of life never goes back, and the newest word on the stop counts', async () => {
    const { uptime } = await open()
    await uptime.save({ life, ...nothing })
    await uptime.save({ life: { atMs: life.atMs - DAY_MS, isStop: true }, ...nothing })
    expect((await uptime.load(0)).life).toEqual({ atMs: life.atMs, isStop: true })
  })

  test(`keeps the newest ${INCIDENTS_KEPT} incidents`, async () => {
    const { uptime } = await open()
    const incidents = Array.from({ length: INCIDENTS_KEPT + 5 }, (_, n) => sampleIncident({ beganMs: n }))
    await uptime.save({ life, days: [], incidents })
    const kept = (await uptime.load(0)).incidents
    expect([kept.length, kept[0]?.beganMs, kept.at(-1)?.beganMs]).toEqual([
      INCIDENTS_KEPT,
      INCIDENTS_KEPT + 4,
      5,
    ])
  })
}
