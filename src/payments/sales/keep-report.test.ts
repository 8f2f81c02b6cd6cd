import { expect, test } from 'vitest'
import { sleep } from '../../core/time/clock.ts'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { keepReport } from './keep-report.ts'

function createReport(tookMs: number) {
  const clock = createManualClock(0)
  const state = { made: 0, fails: false }
  const read = keepReport(clock, async () => {
    const n = ++state.made
    if (tookMs > 0) await sleep(clock, tookMs)
    if (state.fails) throw new Error('no ledger')
    return n
  })
  const readTimed = async () => {
    const report = read()
    clock.advance(tookMs)
    return report
  }
  return { clock, state, read, readTimed }
}

test('a report that takes no time is made anew for everybody', async () => {
  const { read } = createReport(0)
  expect([await read(), await read()]).toEqual([1, 2])
})

test('one that takes 100 ms is kept for 1.9 s: a twentieth of the time', async () => {
  const { clock, readTimed, read } = createReport(100)
  expect(await readTimed()).toBe(1)
  clock.advance(1_899)
  expect(await read()).toBe(1)
  clock.advance(1)
  expect(await readTimed()).toBe(2)
})

test('it is never kept longer than a minute', async () => {
  const { clock, readTimed } = createReport(10_000)
  expect(await readTimed()).toBe(1)
  clock.advance(60_000)
  expect(await readTimed()).toBe(2)
})

test('who asks while it is made waits for the same one', async () => {
  const { read, readTimed, state } = createReport(100)
  const all = [read(), read(), readTimed()]
  expect(await Promise.all(all)).toEqual([1, 1, 1])
  expect(state.made).toBe(1)
})

test('a failure is not kept', async () => {
  const { readTimed, state } = createReport(100)
  state.fails = true
  await expect(readTimed()).rejects.toThrow('no ledger')
  state.fails = false
  expect(await readTimed()).toBe(2)
})
