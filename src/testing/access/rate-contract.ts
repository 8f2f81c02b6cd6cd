import { expect, test } from 'vitest'
import type { RateCounters, RateLimit } from '../../catalog/rate-limit.ts'
import type { Clock } from '../../core/time/clock.ts'
import { createManualClock } from '../../core/time/manual-clock.ts'

const NOON_MS = Date.parse('2026-01-05T12:00:00.000Z')
const NOON_S = NOON_MS / 1000
const perMinute = { name: 'test', calls: 2, windowS: 60 }
const once = { name: 'once', calls: 1, windowS: 60 }

type Time = Pick<Clock, 'now'>
/** Two processes with the same counts, or one of them twice where counts are of one process. */
export type OpenTwo = (clock: Time, maxCounted?: number) => Promise<readonly [RateCounters, RateCounters]>

/** What whoever counts calls per client must do, wherever the counts are. */
export function rateContract(openTwo: OpenTwo): void {
  const open = async (clock: Time) => (await openTwo(clock))[0]

  test('a client has its calls, then none until the window ends', async () => {
    const clock = createManualClock(NOON_MS + 10_500)
    const { take } = await open(clock)
    const count = { isOver: false, windowStartS: NOON_S, resetS: 50 }
    expect(await take(perMinute, 'a')).toEqual({ ...count, remaining: 1 })
    expect(await take(perMinute, 'a')).toEqual({ ...count, remaining: 0 })
    expect(await take(perMinute, 'a')).toEqual({ ...count, isOver: true, remaining: 0 })
    clock.advance(49_499)
    expect(await take(perMinute, 'a')).toEqual({ ...count, isOver: true, remaining: 0, resetS: 1 })
    clock.advance(1)
    const next = { isOver: false, remaining: 1, windowStartS: NOON_S + 60, resetS: 60 }
    expect(await take(perMinute, 'a')).toEqual(next)
  })

  test('clients and limits are counted apart; endpoints that name one limit share it', async () => {
    const { take } = await open(createManualClock(NOON_MS))
    const perDay = { name: 'day', calls: 1, windowS: 86_400 }
    expect(await take(perDay, 'a')).toMatchObject({ isOver: false, resetS: 43_200 })
    expect(await take({ ...perDay }, 'a')).toMatchObject({ isOver: true })
    expect(await take(perDay, 'b')).toMatchObject({ isOver: false })
    expect(await take(perMinute, 'a')).toMatchObject({ isOver: false })
  })

  test('a look counts nothing', async () => {
    const { take, look } = await open(createManualClock(NOON_MS))
    for (let n = 0; n < 3; n++)
      expect(await look(perMinute, 'a')).toMatchObject({ isOver: false, remaining: 2, resetS: 60 })
    await take(perMinute, 'a')
    expect(await look(perMinute, 'a')).toMatchObject({ isOver: false, remaining: 1 })
    await take(perMinute, 'a')
    expect(await look(perMinute, 'a')).toMatchObject({ isOver: true, remaining: 0 })
  })

  clockContract(openTwo)
  giveBackContract(openTwo)
  crowdContract(openTwo)

  test('of two processes that race for the last calls exactly as many get one as there are', async () => {
    const both = await openTwo(createManualClock(NOON_MS))
    const three = { name: 'three', calls: 3, windowS: 60 }
    for (let round = 0; round < 200; round++) {
      const takes = both.flatMap(({ take }) => [1, 2, 3, 4].map(() => take(three, `client ${round}`)))
      const counts = await Promise.all(takes)
      expect(counts.filter(({ isOver }) => !isOver)).toHaveLength(3)
    }
  })
}

function clockContract(openTwo: OpenTwo): void {
  const open = async (clock: Time) => (await openTwo(clock))[0]

  test('a clock that is set back opens no window anew', async () => {
    let nowMs = NOON_MS
    const { take } = await open({ now: () => nowMs })
    await take(once, 'a')
    nowMs -= 90_000
    expect(await take(once, 'a')).toMatchObject({ isOver: true, remaining: 0, resetS: 150 })
  })

  test('a clock that was far ahead for a while closes no window for as long', async () => {
    let nowMs = NOON_MS + 3_600_000
    const { take, giveBack } = await open({ now: () => nowMs })
    await take(once, 'a')
    nowMs = NOON_MS
    const taken = await take(once, 'a')
    expect(taken).toEqual({ isOver: false, remaining: 0, windowStartS: NOON_S, resetS: 60 })
    expect(await take(once, 'a')).toMatchObject({ isOver: true, resetS: 60 })
    await giveBack(once, 'a', taken)
    expect(await take(once, 'a')).toMatchObject({ isOver: false })
  })
}

function giveBackContract(openTwo: OpenTwo): void {
  const open = async (clock: Time) => (await openTwo(clock))[0]

  test('a call that is given back can be made again, in its window and no oftener than the limit allows', async () => {
    const clock = createManualClock(NOON_MS)
    const { take, giveBack } = await open(clock)
    const isOver = async () => (await take(perMinute, 'a')).isOver
    const three = async () => [await isOver(), await isOver(), await isOver()]
    for (let n = 0; n < 5; n++) await giveBack(perMinute, 'a')
    expect(await three()).toEqual([false, false, true])
    await giveBack(perMinute, 'a')
    expect([await isOver(), await isOver()]).toEqual([false, true])
    clock.advance(60_000)
    await giveBack(perMinute, 'a')
    expect(await three()).toEqual([false, false, true])
  })

  test('a call of an earlier window gives nothing back to a newer one, nor does one that was over', async () => {
    const clock = createManualClock(NOON_MS)
    const { take, look, giveBack } = await open(clock)
    const early = await take(once, 'a')
    const over = await take(once, 'a')
    await giveBack(once, 'a', over)
    expect(await look(once, 'a')).toMatchObject({ isOver: true })
    clock.advance(60_000)
    const late = await take(once, 'a')
    await giveBack(once, 'a', early)
    expect(await look(once, 'a')).toMatchObject({ isOver: true })
    await giveBack(once, 'a', late)
    await giveBack(once, 'a', late)
    expect(await look(once, 'a')).toMatchObject({ isOver: false, remaining: 1 })
  })

  test('calls taken and given back at once are counted exactly', async () => {
    const both = await openTwo(createManualClock(NOON_MS))
    const many = { name: 'many', calls: 1_000, windowS: 60 }
    const use = async ({ take, giveBack }: RateCounters, n: number) => {
      const taken = await take(many, 'a')
      if (n % 4 !== 0) await giveBack(many, 'a', taken)
    }
    await Promise.all(both.flatMap((each) => Array.from({ length: 100 }, (_, n) => use(each, n))))
    expect(await both[1].look(many, 'a')).toMatchObject({ remaining: 950 })
  })
}

function crowdContract(openTwo: OpenTwo): void {
  test('of a crowd so many are counted, over all limits: who has not called for longest gives way', async () => {
    const [{ take }, { take: takeToo, look }] = await openTwo(createManualClock(NOON_MS), 4)
    const other = { ...once, name: 'other' }
    for (const client of ['a', 'b', 'c']) await take(once, client)
    await takeToo(other, 'a')
    expect(await takeToo(once, 'a')).toMatchObject({ isOver: true })
    await take(once, 'd')
    const isOver = async (limit: RateLimit, client: string) => (await look(limit, client)).isOver
    expect(await isOver(once, 'b')).toBe(false)
    for (const client of ['a', 'c', 'd']) expect([client, await isOver(once, client)]).toEqual([client, true])
    expect(await isOver(other, 'a')).toBe(true)
  })
}
