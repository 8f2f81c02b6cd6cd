import { expect, test } from 'vitest'
import { ServiceError } from '../core/service-error.ts'
import { createManualClock } from '../core/time/manual-clock.ts'
import { createRateCounters } from './rate-counters.ts'
import { createSellingCounters } from './selling-counters.ts'

const free = { name: 'free', calls: 2, windowS: 60 }
const sold = { name: 'sold', calls: 2, windowS: 60, sells: true } as const
const clock = createManualClock(0)

function world(fault: Error) {
  const working = createRateCounters({ clock })
  const state = { isLost: false }
  const orFail =
    <A extends unknown[], T>(ask: (...args: A) => T | Promise<T>) =>
    async (...args: A) => {
      if (state.isLost) throw fault
      return ask(...args)
    }
  const shared = {
    take: orFail(working.take),
    look: orFail(working.look),
    giveBack: orFail(working.giveBack),
  }
  return { state, counters: createSellingCounters({ shared, own: createRateCounters({ clock }) }) }
}

test('without the shared count what is free fails, and what is sold is counted in the process', async () => {
  const lost = new ServiceError('counters_unavailable', 'lost')
  const { state, counters } = world(lost)
  const taken = await counters.take(sold, 'a')
  state.isLost = true
  await expect(counters.take(free, 'a')).rejects.toBe(lost)
  await expect(counters.look(free, 'a')).rejects.toBe(lost)
  const own = [1, 2, 3].map(() => counters.take(sold, 'a'))
  expect((await Promise.all(own)).map(({ isOver }) => isOver)).toEqual([false, false, true])
  expect(await counters.look(sold, 'a')).toMatchObject({ isOver: true })
  state.isLost = false
  expect(await counters.look(sold, 'a')).toMatchObject({ remaining: 1 })
  await counters.giveBack(sold, 'a', taken)
  expect(await counters.look(sold, 'a')).toMatchObject({ remaining: 2 })
})

test('a bug is no loss', async () => {
  const { state, counters } = world(new TypeError('bug'))
  state.isLost = true
  await expect(counters.take(sold, 'a')).rejects.toThrow('bug')
})
