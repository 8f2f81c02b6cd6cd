import { expect, test } from 'vitest'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { createStoreCheck } from './store.ts'

const clock = createManualClock(0)

test('a ledger that hangs is down after two seconds, and one that fails says why', async () => {
  const hanging = createStoreCheck({ ping: () => new Promise(() => {}) }, clock)()
  clock.advance(2_000)
  expect(await hanging).toMatchObject({
    name: 'store',
    needed: true,
    state: 'down',
    detail: 'does not answer',
  })
  const failing = createStoreCheck({ ping: () => Promise.reject(new Error('it can only be read')) }, clock)()
  expect(await failing).toMatchObject({ state: 'down', detail: 'it can only be read' })
})

test('one that answers is well', async () => {
  expect(await createStoreCheck({ ping: async () => {} }, clock)()).toMatchObject({
    state: 'ok',
    detail: 'answers',
  })
})

test('however many strangers ask, the ledger is asked once a second', async () => {
  let asked = 0
  const ping = async () => {
    asked++
    if (asked === 2) throw new Error('lost')
  }
  const check = createStoreCheck({ ping }, clock)
  const ask = async (times: number) => (await Promise.all(Array.from({ length: times }, check))).at(-1)?.state
  expect([await ask(300), await ask(1), asked]).toEqual(['ok', 'ok', 1])
  clock.advance(1_000)
  expect([await ask(300), asked]).toEqual(['down', 2])
  clock.advance(1_000)
  expect([await ask(1), asked]).toEqual(['ok', 3])
})
