import { describe, expect, test } from 'vitest'
import { createManualClock, type ManualClock } from '../../core/time/manual-clock.ts'
import { DAY_MS, MINUTE_MS } from '../../core/time/time.ts'
import type { UptimeBook } from '../../ledger/ports/uptime-book.ts'
import type { CheckState, HealthCheck } from '../../products/service/services.ts'
import { createKeptLog } from '../../testing/kept-log.ts'
import { createMemoryUptime, createMemoryUptimeBook } from '../../testing/ledger/uptime/memory-uptime-book.ts'
import { createUptimeKeeper } from './uptime-keeper.ts'

const NOON_MS = 20_000 * DAY_MS + DAY_MS / 2
const TODAY = 20_000

function createWorld(startMs = NOON_MS) {
  const disk = createMemoryUptime()
  const kept = createMemoryUptimeBook(disk)
  const states: Record<string, HealthCheck['state']> = { oracle: 'ok', binance: 'ok' }
  const store = { isBroken: false }
  const check = async <T>(work: () => Promise<T>) => {
    if (store.isBroken) throw new Error('disk full')
    return work()
  }
  const book: UptimeBook = {
    save: (entry) => check(() => kept.save(entry)),
    load: (day) => check(() => kept.load(day)),
  }
  const log = createKeptLog()
  /** A process of its own, at a time of its own. */
  const start = async (nowMs: number) => {
    const clock = createManualClock(nowMs)
    const health = async () => ({ state: 'ok' as CheckState, checks: Object.entries(states).map(toCheck) })
    const keeper = createUptimeKeeper({ clock, log, book, health })
    await keeper.start()
    const minutes = async (count: number) => {
      for (let n = 0; n < count; n++) {
        clock.advance(MINUTE_MS)
        await settled()
      }
    }
    const countsOf = (name: string) => {
      const { parts } = keeper.report()
      const days = parts.find((part) => part.name === name)?.days ?? []
      return days.map((day) => day && [day.ok, day.degraded, day.down])
    }
    return { clock, keeper, minutes, countsOf, incidents: () => keeper.report().incidents }
  }
  return { disk, states, store, log, start, first: () => start(startMs) }
}

const toCheck = ([name, state]: [string, HealthCheck['state']]): HealthCheck => ({
  ...{ name, state, needed: name === 'oracle', latencyMs: 3, ageMs: null, detail: 'host 10.0.0.7:1 is odd' },
})
/** Everything that was begun in this turn has ended. */
const settled = () => new Promise<void>((resume) => setImmediate(resume))

describe('measuring', () => {
  test('once a minute, each part on its own, and the service by what it needs', async () => {
    const { first, states } = createWorld()
    const { minutes, countsOf, keeper } = await first()
    states.binance = 'down'
    await minutes(1)
    states.oracle = 'degraded'
    await minutes(1)
    states.binance = 'idle'
    await minutes(1)
    expect([countsOf('service'), countsOf('oracle'), countsOf('binance')]).toEqual([
      [[2, 2, 0]],
      [[2, 2, 0]],
      [[1, 0, 2]],
    ])
    const { measuredMs, parts } = keeper.report()
    expect(measuredMs).toBe(NOON_MS + 3 * MINUTE_MS)
    expect(parts.map(({ name }) => name)).toEqual(['service', 'oracle', 'binance'])
    expect(parts[1]?.days[0]).toMatchObject({ timed: 4, totalMs: 12, maxMs: 3 })
  })

  test('what has not been well since the start counts as nothing for two minutes, and as down from then on', async () => {
    const { first, states } = createWorld()
    Object.assign(states, { oracle: 'down', binance: 'degraded' })
    const { minutes, countsOf, incidents } = await first()
    await minutes(1)
    expect([countsOf('service'), countsOf('oracle'), countsOf('binance')]).toEqual([
      [undefined],
      [undefined],
      [undefined],
    ])
    states.binance = 'ok'
    await minutes(1)
    expect([countsOf('service'), countsOf('oracle'), countsOf('binance')]).toEqual([
      [[0, 0, 1]],
      [[0, 0, 1]],
      [[1, 0, 0]],
    ])
    await minutes(1)
    expect(
      incidents()
        .map(({ part }) => part)
        .sort(),
    ).toEqual(['oracle', 'service'])
  })

  test('what was well once is down at once, also in the first minutes', async () => {
    const { first, states } = createWorld()
    const { minutes, countsOf } = await first()
    states.oracle = 'down'
    await minutes(1)
    expect(countsOf('service')).toEqual([[1, 0, 1]])
  })

  test('two measurements in a minute are one, also over a crash', async () => {
    const { start, first } = createWorld()
    await first()
    const { countsOf, minutes } = await start(NOON_MS + 30_000)
    expect(countsOf('oracle')).toEqual([[1, 0, 0]])
    await minutes(1)
    expect(countsOf('oracle')).toEqual([[2, 0, 0]])
  })

  test('a new day has its own row, and a day without any is empty', async () => {
    const { start, first } = createWorld(NOON_MS + DAY_MS / 2 - 2 * MINUTE_MS)
    const { minutes, countsOf, keeper } = await first()
    await minutes(2)
    expect([countsOf('oracle'), keeper.report().toDay]).toEqual([
      [
        [2, 0, 0],
        [1, 0, 0],
      ],
      TODAY + 1,
    ])
    const later = await start((TODAY + 3) * DAY_MS + 5 * MINUTE_MS)
    expect(later.countsOf('oracle')).toEqual([[2, 0, 0], [1, 0, 0], undefined, [1, 0, 0]])
    expect(later.countsOf('service').map((day) => day?.[2])).toEqual([0, 1439, 1440, 5])
  })

  test('a clock that jumps ahead or back makes no downtime, and measuring goes on', async () => {
    const { start, first } = createWorld()
    const { clock, minutes, countsOf, incidents } = await first()
    clock.now = (
      (now) => () =>
        now() + 5 * 60 * MINUTE_MS
    )(clock.now)
    await minutes(1)
    clock.now = (
      (now) => () =>
        now() - 9 * 60 * MINUTE_MS
    )(clock.now)
    await minutes(2)
    expect([countsOf('service'), incidents()]).toEqual([[[4, 0, 0]], []])
    const back = await start(NOON_MS - 6 * 60 * MINUTE_MS)
    expect([back.countsOf('service'), back.incidents()]).toEqual([[[5, 0, 0]], []])
  })
})

describe('a machine that sleeps, or a process that is held up', () => {
  /** Time goes on and no timer turns. */
  const sleep = (clock: ManualClock, ms: number) => {
    const { now, steady } = clock
    clock.now = () => now() + ms
    clock.steady = () => steady() + ms
  }

  test('is downtime of the service, and an incident', async () => {
    const { first, disk } = createWorld()
    const { clock, minutes, countsOf, incidents } = await first()
    await minutes(2)
    sleep(clock, 30 * MINUTE_MS)
    await minutes(2)
    expect([countsOf('service'), countsOf('oracle')]).toEqual([[[5, 0, 30]], [[5, 0, 0]]])
    const [beganMs, endedMs] = [NOON_MS + 2 * MINUTE_MS, NOON_MS + 33 * MINUTE_MS]
    const told = { part: 'service', beganMs, endedMs, cause: 'it did not answer', isPlanned: false }
    expect(incidents()).toMatchObject([told])
    expect(disk.kept.incidents).toMatchObject([told])
  })

  test('also where the clock was set meanwhile', async () => {
    const { first } = createWorld()
    const { clock, minutes, countsOf } = await first()
    await minutes(2)
    sleep(clock, 30 * MINUTE_MS)
    const { now } = clock
    clock.now = () => now() + 60 * MINUTE_MS
    await minutes(1)
    expect(countsOf('service')).toEqual([[4, 0, 30]])
  })

  test('also where it stops as soon as it wakes', async () => {
    const { first, disk } = createWorld()
    const { clock, minutes, keeper } = await first()
    await minutes(1)
    sleep(clock, 30 * MINUTE_MS)
    await keeper.stop()
    expect(disk.kept.days.find(({ part }) => part === 'service')).toMatchObject({ ok: 2, down: 29 })
  })

  test('for less than two minutes between two checks is none', async () => {
    const { first } = createWorld()
    const { clock, minutes, countsOf } = await first()
    sleep(clock, MINUTE_MS)
    await minutes(1)
    expect(countsOf('service')).toEqual([[2, 0, 0]])
  })
})

describe('a clock that is wrong at a start', () => {
  test.each([-400, -3, 400])('by %d days costs no history and makes no outage', async (offDays) => {
    const { first, start, disk } = createWorld()
    const { minutes } = await first()
    await minutes(3)
    const wrong = await start(NOON_MS + offDays * DAY_MS)
    await wrong.minutes(2)
    const right = await start(NOON_MS + 10 * MINUTE_MS)
    expect(disk.kept.days.filter(({ day }) => day === TODAY)).toMatchObject([{ ok: 5 }, { ok: 5 }, {}])
    expect(disk.kept.days.reduce((sum, { down }) => sum + down, 0)).toBeLessThanOrEqual(6)
    expect(right.countsOf('oracle').at(-1)).toEqual([5, 0, 0])
  })

  test('and is set right later shows the days before', async () => {
    const { first, start } = createWorld()
    await first()
    const { clock, minutes, countsOf } = await start(NOON_MS - 400 * DAY_MS)
    const behind = clock.now
    clock.now = () => behind() + 400 * DAY_MS
    await minutes(1)
    expect(countsOf('oracle')).toEqual([[2, 0, 0]])
    clock.now = () => behind() + 900 * DAY_MS
    await minutes(1)
    clock.now = () => behind() + 400 * DAY_MS
    await minutes(1)
    expect(countsOf('oracle')).toEqual([[3, 0, 0]])
  })
})

describe('incidents', () => {
  test('are kept while they go on, and end in the next process', async () => {
    const { first, start, states, disk } = createWorld()
    const { minutes, incidents, clock } = await first()
    states.binance = 'down'
    await minutes(1)
    expect(incidents()).toEqual([])
    await minutes(1)
    expect(disk.kept.incidents).toMatchObject([{ part: 'binance', beganMs: NOON_MS + MINUTE_MS }])
    states.binance = 'ok'
    const next = await start(clock.now() + MINUTE_MS)
    await next.minutes(1)
    expect(next.incidents()).toMatchObject([{ part: 'binance', endedMs: NOON_MS + 3 * MINUTE_MS }])
    expect(disk.kept.incidents).toHaveLength(1)
  })

  test('say no address', async () => {
    const { first, states } = createWorld()
    const { minutes, incidents } = await first()
    states.binance = 'down'
    await minutes(2)
    expect(incidents()).toMatchObject([{ cause: 'host an address is odd' }])
  })

  test('what goes on stands first', async () => {
    const { first, states } = createWorld()
    const { minutes, incidents } = await first()
    states.oracle = 'down'
    await minutes(2)
    states.binance = 'down'
    await minutes(2)
    states.binance = 'ok'
    await minutes(2)
    expect(incidents().map(({ part, endedMs }) => [part, endedMs === undefined])).toEqual([
      ['oracle', true],
      ['service', true],
      ['binance', false],
    ])
  })

  test('a crash is downtime until the next start', async () => {
    const { first, start } = createWorld()
    const { minutes } = await first()
    await minutes(3)
    const { countsOf, incidents } = await start(NOON_MS + 33 * MINUTE_MS)
    expect(countsOf('service')).toEqual([[5, 0, 29]])
    expect(countsOf('oracle')).toEqual([[5, 0, 0]])
    expect(incidents()).toMatchObject([
      {
        part: 'service',
        beganMs: NOON_MS + 3 * MINUTE_MS,
        endedMs: NOON_MS + 33 * MINUTE_MS,
        isPlanned: false,
      },
    ])
  })

  test('a stop is told as planned, from when it was', async () => {
    const { first, start, disk } = createWorld()
    const { keeper, clock } = await first()
    clock.advance(20_000)
    await keeper.stop()
    expect(disk.kept.life).toEqual({ atMs: NOON_MS + 20_000, isStop: true })
    clock.advance(10 * MINUTE_MS)
    expect(disk.kept.life?.atMs).toBe(NOON_MS + 20_000)
    const { incidents } = await start(NOON_MS + 10 * MINUTE_MS)
    expect(incidents()).toMatchObject([{ beganMs: NOON_MS + 20_000, isPlanned: true }])
  })
})

describe('a ledger that fails', () => {
  test('loses nothing, is told once, and stops nothing', async () => {
    const { first, states, store, log, disk } = createWorld()
    const { minutes, countsOf, incidents } = await first()
    store.isBroken = true
    states.binance = 'down'
    await minutes(3)
    expect([countsOf('binance'), incidents().length]).toEqual([[[1, 0, 3]], 1])
    expect(log.lines.filter(({ text }) => text === 'uptime cannot be kept')).toHaveLength(1)
    store.isBroken = false
    await minutes(1)
    expect(disk.kept.days.find(({ part }) => part === 'binance')).toMatchObject({ ok: 1, down: 4 })
    expect(disk.kept.incidents).toHaveLength(1)
  })

  test('one that cannot be read at the start is taken over later, and nothing is counted twice', async () => {
    const { first, start, states, store, disk } = createWorld()
    const { minutes } = await first()
    states.binance = 'down'
    await minutes(2)
    store.isBroken = true
    states.binance = 'ok'
    const next = await start(NOON_MS + 10 * MINUTE_MS)
    states.binance = 'down'
    await next.minutes(1)
    expect(next.countsOf('binance')).toEqual([[1, 0, 1]])
    expect(disk.kept.days.find(({ part }) => part === 'binance')).toMatchObject({ down: 2 })
    store.isBroken = false
    await next.minutes(1)
    expect(next.countsOf('binance')).toEqual([[2, 0, 4]])
    expect(next.countsOf('service')).toEqual([[6, 0, 7]])
    expect(disk.kept.days.find(({ part }) => part === 'binance')).toMatchObject({ ok: 2, down: 4 })
    expect(next.incidents().filter(({ part }) => part === 'binance')).toMatchObject([
      { beganMs: NOON_MS + 11 * MINUTE_MS, endedMs: undefined },
      { beganMs: NOON_MS + MINUTE_MS, endedMs: NOON_MS + 2 * MINUTE_MS },
    ])
    await next.keeper.stop()
  })

  test('a check that throws is a minute without a measurement', async () => {
    const { disk, states, first } = createWorld()
    const { minutes, countsOf } = await first()
    Object.defineProperty(states, 'bad', {
      get: () => {
        throw new Error('bug')
      },
      enumerable: true,
      configurable: true,
    })
    await minutes(2)
    delete states.bad
    await minutes(1)
    expect(countsOf('oracle')).toEqual([[2, 0, 0]])
    expect(disk.kept.life?.atMs).toBe(NOON_MS + 3 * MINUTE_MS)
  })
})
