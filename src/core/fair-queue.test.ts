import { beforeEach, expect, test } from 'vitest'
import { createFairQueue, type FairQueue } from './fair-queue.ts'
import { createManualClock, type ManualClock } from './time/manual-clock.ts'

const OPTIONS = { places: 3, placesPerKey: 2, line: 5, linePerKey: 3, waitMs: 1_000 }
let clock: ManualClock
let queue: FairQueue
let begun: string[]
let finish: Map<string, () => void>
beforeEach(() => {
  clock = createManualClock(0)
  queue = createFairQueue({ ...OPTIONS, clock, refuse: () => new Error('full') })
  begun = []
  finish = new Map()
})

/** The key is the first letter of the name. */
const run = (name: string) =>
  queue.run(name.charAt(0), () => {
    begun.push(name)
    return new Promise<string>((resolve) => finish.set(name, () => resolve(name)))
  })
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))
const end = async (name: string) => {
  finish.get(name)?.()
  await settled()
}

test('a key has its places, and others the rest', async () => {
  void run('a1')
  void run('a2')
  void run('a3')
  void run('b1')
  void run('b2')
  await settled()
  expect(begun).toEqual(['a1', 'a2', 'b1'])
  await end('b1')
  expect(begun).toEqual(['a1', 'a2', 'b1', 'b2'])
  await end('a1')
  expect(begun.at(-1)).toBe('a3')
})

test('keys take turns, however much one of them asks for', async () => {
  for (const name of ['a1', 'a2', 'c1', 'a3', 'a4', 'a5', 'b1', 'c2']) void run(name)
  await settled()
  for (const name of ['a1', 'a2', 'c1', 'a3', 'b1']) await end(name)
  expect(begun.slice(3)).toEqual(['a3', 'b1', 'c2', 'a4', 'a5'])
})

test('the line is bounded, for a key and in all', async () => {
  const names = ['a1', 'a2', 'b0', 'a3', 'a4', 'a5']
  for (const name of names) void run(name)
  await expect(run('a6')).rejects.toThrow('full')
  void run('b1')
  void run('b2')
  await expect(run('b3')).rejects.toThrow('full')
})

test('a full line lets go the newest of its longest line for one of a shorter', async () => {
  for (const name of ['a1', 'a2', 'b0', 'a3']) void run(name)
  const pushedOut = ['a4', 'a5'].map((name) => expect(run(name)).rejects.toThrow('full'))
  for (const name of ['b1', 'c1', 'd1', 'e1']) void run(name)
  await Promise.all(pushedOut)
  // By now all lines are equally long.
  await expect(run('f1')).rejects.toThrow('full')
  for (const name of ['a1', 'a2', 'b0', 'a3', 'b1', 'c1', 'd1', 'e1']) await end(name)
  expect(begun).toEqual(['a1', 'a2', 'b0', 'a3', 'b1', 'c1', 'd1', 'e1'])
})

test('a higher rank gets a turn when no lower one waits, and gives way first', async () => {
  const rankOf = (key: string) => (key === 'a' || key === 'b' ? 5 : 0)
  queue = createFairQueue({ ...OPTIONS, clock, rankOf, refuse: () => new Error('full') })
  for (const name of ['a1', 'a2', 'b0', 'b1', 'c1', 'c2', 'c3']) void run(name)
  const pushedOut = expect(run('a3')).rejects.toThrow('full')
  void run('d1')
  await pushedOut
  await expect(run('a4')).rejects.toThrow('full')
  for (const name of ['a1', 'a2', 'b0', 'c1', 'd1', 'c2', 'c3']) await end(name)
  expect(begun.slice(3)).toEqual(['c1', 'd1', 'c2', 'c3', 'b1'])
})

test('a wait ends, and the place goes to those who still wait', async () => {
  void run('a1')
  void run('a2')
  const late = run('a3')
  const refused = expect(late).rejects.toThrow('full')
  clock.advance(999)
  void run('a4')
  clock.advance(1)
  await refused
  await end('a1')
  expect(begun).toEqual(['a1', 'a2', 'a4'])
})

test('work that fails gives its place back', async () => {
  for (let n = 0; n < 10; n++)
    await expect(queue.run('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  await expect(queue.run('a', async () => 'done')).resolves.toBe('done')
})

test('at the pace of others the lowest rank starts first, and who comes just then does not overtake', async () => {
  const pace = { share: 1 / 64, waitMs: 500 }
  const rankOf = (key: string) => (key === 'a' ? 9 : 0)
  queue = createFairQueue({ ...OPTIONS, clock, rankOf, paceOf: () => pace, refuse: () => new Error('full') })
  void run('a1')
  void run('a2')
  void run('b1')
  await settled()
  expect(begun).toEqual([])
  pace.waitMs = 0
  void run('a3')
  await settled()
  // One place is left of all.
  expect(begun).toEqual(['b1'])
  pace.waitMs = 500
  await end('b1')
  expect(begun).toEqual(['b1'])
  clock.advance(400)
  pace.waitMs = 0
  clock.advance(100)
  await settled()
  expect(begun).toEqual(['b1', 'a1'])
})

test('a pace that becomes full lets all start that have a place', async () => {
  const pace = { share: 1 / 64, waitMs: 500 }
  queue = createFairQueue({ ...OPTIONS, clock, paceOf: () => pace, refuse: () => new Error('full') })
  for (const name of ['a1', 'b1', 'c1', 'd1']) void run(name)
  await settled()
  Object.assign(pace, { share: 1, waitMs: 0 })
  clock.advance(500)
  await settled()
  expect(begun).toEqual(['a1', 'b1', 'c1'])
})

test('a pace that gets faster is kept up with', async () => {
  const pace = { share: 1 / 64, waitMs: 60_000 }
  queue = createFairQueue({ ...OPTIONS, clock, paceOf: () => pace, refuse: () => new Error('full') })
  const first = run('a1')
  first.catch(() => {})
  await settled()
  pace.waitMs = 800
  void run('b1')
  await settled()
  clock.advance(700)
  pace.waitMs = 0
  clock.advance(100)
  await settled()
  expect(begun).toEqual(['a1'])
})
