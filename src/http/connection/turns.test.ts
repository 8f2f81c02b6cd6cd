import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { noteComer, spendHere, waitForTurn } from './turns.ts'

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))
/** As long as it takes on no machine: others may stop this process at any time. */
let nowMs = 0
beforeEach(() => void vi.spyOn(performance, 'now').mockImplementation(() => nowMs))
afterEach(() => void vi.restoreAllMocks())
const work = (ms: number) => {
  nowMs += ms
}

test('what has just come is done at once, until the turn has done enough of it', async () => {
  const done = []
  for (let count = 0; count < 10; count++)
    done.push(
      spendHere(() => {
        work(8)
        return 'done'
      }),
    )
  expect(done).toEqual(['done', 'done', 'done', ...Array(7).fill(undefined)])
  await nextTurn()
  expect(spendHere(() => 'done')).toBe('done')
})

test('what waits is done in its order, over as many turns as it takes', async () => {
  const done: number[] = []
  for (let count = 0; count < 10; count++)
    waitForTurn('a', () => {
      work(8)
      done.push(count)
    })
  expect(done).toEqual([])
  await nextTurn()
  expect(done.length).toBeLessThan(5)
  await expect.poll(() => done).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
})

test('who has much waiting lets each of the others in between', async () => {
  const done: string[] = []
  const ask = (whose: string, times: number) => {
    for (let count = 0; count < times; count++) waitForTurn(whose, () => void done.push(whose))
  }
  ask('many', 5)
  ask('one', 1)
  ask('two', 2)
  await expect.poll(() => done.join(' ')).toBe('many one two many two many many many')
})

test('work that throws holds up nothing else', async () => {
  expect(() =>
    spendHere(() => {
      throw new Error('no')
    }),
  ).toThrow('no')
  expect(spendHere(() => 'done')).toBe('done')
})

test('while somebody comes in each turn the others wait, but not for ever', async () => {
  const done: number[] = []
  waitForTurn('a', () => void done.push(0))
  let turns = 0
  while (done.length === 0) {
    noteComer()
    expect(spendHere(() => 'done')).toBe(turns === 0 ? 'done' : undefined)
    await nextTurn()
    turns++
  }
  expect(turns).toBe(65)
  await nextTurn()
  expect(spendHere(() => 'done')).toBe('done')
})
