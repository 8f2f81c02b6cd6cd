import { expect, test } from 'vitest'
import { createSerialQueue } from './serial-queue.ts'

test('tasks never overlap and keep their order, also after one has failed', async () => {
  const queue = createSerialQueue({ maxWaiting: 10 })
  const seen: string[] = []
  const task = (name: string, fails = false) =>
    queue.run(async () => {
      seen.push(`${name} begins`)
      await Promise.resolve()
      seen.push(`${name} ends`)
      if (fails) throw new Error(name)
      return name
    })
  const results = await Promise.allSettled([task('a'), task('b', true), task('c')])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
})

test('a queue that is full refuses and recovers', async () => {
  const queue = createSerialQueue({ maxWaiting: 1 })
  const first = queue.run(async () => 'first')
  await expect(queue.run(async () => 'second')).rejects.toThrow(/more than 1/)
  expect(await first).toBe('first')
  expect(await queue.run(async () => 'third')).toBe('third')
})
