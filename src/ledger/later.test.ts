import { expect, test } from 'vitest'
import { createManualClock } from '../core/time/manual-clock.ts'
import { createLater } from './later.ts'

/** Each save waits to be told how it ends. */
function setUp() {
  const clock = createManualClock(0)
  const saves: PromiseWithResolvers<void>[] = []
  const later = createLater(clock, () => {
    const save = Promise.withResolvers<void>()
    saves.push(save)
    return save.promise
  })
  const end = (nth: number) => saves[nth]?.resolve()
  const fail = (nth: number) => saves[nth]?.reject(new Error(`save ${nth}`))
  return { clock, saves, later, end, fail }
}

const isOver = (work: Promise<void>) =>
  Promise.race([work.then(() => true), new Promise((resolve) => setImmediate(resolve, false))])

test('plans of one second are one save, and what runs at once is not saved again', async () => {
  const { clock, saves, later, end } = setUp()
  later.plan()
  later.plan()
  clock.advance(999)
  expect(saves).toHaveLength(0)
  clock.advance(1)
  expect(saves).toHaveLength(1)
  later.plan()
  const run = later.run()
  clock.advance(5_000)
  expect(saves).toHaveLength(2)
  end(0)
  end(1)
  await run
})

test.each(['run', 'close'] as const)('%s waits also for what is being saved already', async (way) => {
  const { clock, later, end } = setUp()
  later.plan()
  clock.advance(1_000)
  const ended = later[way]()
  end(1)
  expect(await isOver(ended)).toBe(false)
  end(0)
  expect(await isOver(ended)).toBe(true)
})

test('run rejects where one of them failed, close does not, and the next run starts anew', async () => {
  const { clock, later, end, fail } = setUp()
  later.plan()
  clock.advance(1_000)
  const [run, close] = [later.run(), later.close()]
  fail(0)
  end(1)
  end(2)
  await expect(run).rejects.toThrow('save 0')
  await close
  const next = later.run()
  end(3)
  await next
})
