import { expect, test } from 'vitest'
import type { DemoCounters, Taken } from '../../ledger/ports/demo-counters.ts'

export type OpenedCounters = {
  open(): Promise<DemoCounters>
  /** On the same data, as two processes. */
  openTwice(): Promise<[DemoCounters, DemoCounters]>
  /** Old days go when a new one begins; otherwise they go by themselves. */
  forgetsByDay: boolean
}

const ROUNDS = 200
const AT_ONCE = 6
const LEFT = 3

const taken = (outcomes: readonly Taken[]) => outcomes.filter(({ isTaken }) => isTaken).length

/** What whoever counts free calls must do, wherever the counts are. */
export function demoContract({ open, openTwice, forgetsByDay }: OpenedCounters): void {
  test('counts free calls by day and by whom they are for, up to the limit', async () => {
    const demo = await open()
    expect(await demo.take(10, [['a', 2]])).toEqual({ isTaken: true, used: [1] })
    expect(await demo.take(10, [['a', 2]])).toEqual({ isTaken: true, used: [2] })
    expect(await demo.take(10, [['a', 2]])).toEqual({ isTaken: false, used: [2] })
    expect(await demo.take(11, [['a', 2]])).toEqual({ isTaken: true, used: [1] })
    expect(await demo.used(10, ['b', 'a'])).toEqual([0, 2])
    expect(await demo.load(10)).toEqual(new Map([['a', 2]]))
    expect(await demo.take(10, [['nobody', 0]])).toEqual({ isTaken: false, used: [0] })
    expect(await demo.load(10)).toEqual(new Map([['a', 2]]))
  })

  test('takes for all keys or for none, and says what each has used in their order', async () => {
    const demo = await open()
    expect(await demo.take(10, [...pair('b', 5), ['*', 2]])).toEqual({ isTaken: true, used: [1, 1] })
    expect(await demo.take(10, [...pair('a', 5), ['*', 2]])).toEqual({ isTaken: true, used: [1, 2] })
    expect(await demo.take(10, [...pair('c', 5), ['*', 2]])).toEqual({ isTaken: false, used: [0, 2] })
    expect(await demo.take(10, [...pair('b', 1), ['*', 9]])).toEqual({ isTaken: false, used: [1, 2] })
    expect(await demo.load(10)).toEqual(new Map([['a', 1]]).set('b', 1).set('*', 2))
  })

  test('gives back on its day only, never below zero, and leaves nothing behind', async () => {
    const demo = await open()
    await demo.take(10, [...pair('a', 5), ['*', 5]])
    await demo.take(10, [...pair('b', 5), ['*', 5]])
    await demo.take(11, [['a', 5]])
    await demo.giveBack(10, ['a', '*'])
    expect(await demo.load(10)).toEqual(new Map([['b', 1]]).set('*', 1))
    await demo.giveBack(10, ['a', 'stranger'])
    expect(await demo.used(10, ['a', 'stranger', '*'])).toEqual([0, 0, 1])
    expect(await demo.used(11, ['a'])).toEqual([1])
    expect(await demo.take(10, [['a', 1]])).toEqual({ isTaken: true, used: [1] })
  })

  test('keys may have any characters', async () => {
    const demo = await open()
    const odd = ['holder 0xb2', '20010db80001/48', `it's "{,}\\" %`, 'é', 'model chat']
    expect(
      await demo.take(
        10,
        odd.map((key) => [key, 1] as const),
      ),
    ).toMatchObject({ isTaken: true })
    expect(await demo.used(10, odd)).toEqual([1, 1, 1, 1, 1])
    expect([...(await demo.load(10)).keys()].sort()).toEqual([...odd].sort())
  })
  raceContract({ openTwice })
  if (!forgetsByDay) return
  test('forgets days before yesterday with the first call of a day', async () => {
    const demo = await open()
    for (const day of [10, 11, 12]) await demo.take(day, [['a', 1]])
    // Forgetting is nobody's wait.
    await expect.poll(() => demo.load(10)).toEqual(new Map())
    expect(await demo.load(11)).toEqual(new Map([['a', 1]]))
  })
}

function raceContract({ openTwice }: Pick<OpenedCounters, 'openTwice'>): void {
  test('two processes racing for the last calls never take more than there are, nor fewer', async () => {
    const both = await openTwice()
    for (let round = 0; round < ROUNDS; round++) {
      const total = ['*', LEFT + round * LEFT] as const
      const takes = both.flatMap((demo, at) =>
        Array.from({ length: AT_ONCE }, (_, n) => demo.take(10, [[`${at} ${n % 2} ${round}`, 2], total])),
      )
      expect(taken(await Promise.all(takes))).toBe(LEFT)
    }
    expect((await both[0].load(10)).get('*')).toBe(ROUNDS * LEFT)
  }, 60_000)

  test('calls taken and given back at once by two processes are counted exactly', async () => {
    const both = await openTwice()
    const limits = [...pair('a', 99), ['*', 99]] as const
    const use = async (demo: DemoCounters, n: number) => {
      const { isTaken } = await demo.take(10, limits)
      expect(isTaken).toBe(true)
      if (n % 3 !== 0) await demo.giveBack(10, ['a', '*'])
    }
    await Promise.all(both.flatMap((demo) => Array.from({ length: 30 }, (_, n) => use(demo, n))))
    expect(await both[1].used(10, ['a', '*'])).toEqual([20, 20])
  })
}

const pair = (key: string, limit: number) => [[key, limit] as const]
