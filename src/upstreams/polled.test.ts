import { expect, test } from 'vitest'
import { createManualClock } from '../core/time/manual-clock.ts'
import { createPolled } from './polled.ts'
import { UpstreamError } from './upstream.ts'

const settle = () => new Promise((resolve) => setImmediate(resolve))

test('reads on its schedule, keeps the last value through failures, and stops', async () => {
  const clock = createManualClock(0)
  let reads = 0
  let isDown = false
  const polled = createPolled({
    clock,
    random: () => 0.5,
    everyMs: 60_000,
    fetch: async () => {
      reads++
      if (isDown) throw new UpstreamError('down', 'away')
      return reads
    },
  })
  expect(polled.last()).toBeUndefined()
  await polled.start()
  expect([polled.last(), polled.fault()]).toEqual([{ value: 1, asOfMs: 0 }, undefined])
  clock.advance(59_999)
  await settle()
  expect(reads).toBe(1)
  isDown = true
  clock.advance(1)
  await settle()
  expect([reads, polled.last()?.value, polled.fault()?.fault]).toEqual([2, 1, 'down'])
  isDown = false
  clock.advance(60_000)
  await settle()
  expect([polled.last()?.value, polled.fault()]).toEqual([reads, undefined])
  polled.stop()
  const before = reads
  clock.advance(600_000)
  await settle()
  expect(reads).toBe(before)
})

test('what stands still for longer than it can is as old as its last change, until it moves', async () => {
  const clock = createManualClock(0)
  const said = { price: 1, readAtMs: 0 }
  const polled = createPolled({
    clock,
    random: () => 0.5,
    everyMs: 30_000,
    fetch: async () => ({ ...said, readAtMs: clock.now() }),
    // The time of reading is ours and says nothing.
    moves: { withinMs: 60_000, of: ({ price }) => price },
  })
  await polled.start()
  const next = async () => {
    clock.advance(30_000)
    await settle()
    return [polled.last()?.asOfMs, polled.fault()?.fault]
  }
  expect(await next()).toEqual([30_000, undefined])
  expect(await next()).toEqual([60_000, undefined])
  expect(await next()).toEqual([0, 'frozen'])
  expect(await next()).toEqual([0, 'frozen'])
  expect(polled.last()?.value.readAtMs).toBe(120_000)
  said.price = 2
  expect(await next()).toEqual([150_000, undefined])
  expect(await next()).toEqual([180_000, undefined])
  polled.stop()
})
