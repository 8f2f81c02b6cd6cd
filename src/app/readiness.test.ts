import { expect, test } from 'vitest'
import { createManualClock } from '../core/time/manual-clock.ts'
import { createReadiness } from './readiness.ts'

function scene(ping: () => Promise<void> = async () => {}) {
  const clock = createManualClock(1_000_000)
  let asked = 0
  const store = {
    ping() {
      asked++
      return ping()
    },
  }
  return { clock, readiness: createReadiness({ clock, store }), asked: () => asked }
}

test('a process is ready from the end of its start until it is told to stop', async () => {
  const { readiness } = scene()
  expect(await readiness.reasons()).toEqual(['starting'])
  readiness.started()
  expect(await readiness.reasons()).toEqual([])
  readiness.drain()
  expect(await readiness.reasons()).toEqual(['draining'])
})

test('a ledger that fails or hangs is a reason, and only for as long as it does', async () => {
  let ping = () => Promise.reject(new Error('the password is hunter2'))
  const { readiness, clock } = scene(() => ping())
  readiness.started()
  expect(await readiness.reasons()).toEqual(['the ledger does not answer'])
  ping = () => new Promise<never>(() => {})
  clock.advance(1_000)
  const hanging = readiness.reasons()
  clock.advance(2_000)
  expect(await hanging).toEqual(['the ledger does not answer'])
  ping = async () => undefined as never
  expect(await readiness.reasons()).toEqual([])
})

test('however many ask, the ledger is asked once a second', async () => {
  const { readiness, clock, asked } = scene()
  readiness.started()
  await Promise.all(Array.from({ length: 1_000 }, () => readiness.reasons()))
  clock.advance(999)
  await readiness.reasons()
  expect(asked()).toBe(1)
  clock.advance(1)
  await readiness.reasons()
  expect(asked()).toBe(2)
})

test('an engine that is not sure that it leads is not ready', async () => {
  const state = { leads: false }
  const store = { ping: async () => {} }
  const readiness = createReadiness({ clock: createManualClock(0), store, leads: () => state.leads })
  readiness.started()
  expect(await readiness.reasons()).toEqual(['this engine does not lead now'])
  state.leads = true
  expect(await readiness.reasons()).toEqual([])
})
