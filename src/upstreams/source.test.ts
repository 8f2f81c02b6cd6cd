import { expect, test } from 'vitest'
import { createManualClock } from '../core/time/manual-clock.ts'
import { createSource } from './source.ts'
import { UpstreamError } from './upstream.ts'

const START_MS = Date.UTC(2026, 0, 5, 12)

/** A source of counted reads that end when the test says so. */
function start(overrides: { now?: () => number } = {}) {
  const manual = createManualClock(START_MS)
  const clock = { ...manual, ...overrides }
  const reads: { resolve(value: string): void; reject(error: unknown): void }[] = []
  const source = createSource<string>({
    clock,
    random: () => 1,
    softMs: 15_000,
    hardMs: 300_000,
    fetch: () => new Promise((resolve, reject) => reads.push({ resolve, reject })),
  })
  const first = async () => {
    const read = source.read()
    reads.at(-1)?.resolve('one')
    return read
  }
  return { clock, reads, source, first }
}
const settle = () => new Promise((resolve) => setImmediate(resolve))

test('nothing is known before the first read, and all who ask share it', async () => {
  const { source, reads } = start()
  expect(source.last()).toBeUndefined()
  const all = [source.read(), source.read(), source.read()]
  expect(reads).toHaveLength(1)
  reads[0]?.resolve('one')
  expect(await Promise.all(all)).toEqual(Array(3).fill({ value: 'one', asOfMs: START_MS }))
  expect(source.last()).toEqual({ value: 'one', asOfMs: START_MS })
})

test('a value is as old as its request, not as its reply', async () => {
  const { source, reads, clock } = start()
  const read = source.read()
  clock.advance(4_000)
  reads[0]?.resolve('one')
  expect(await read).toEqual({ value: 'one', asOfMs: START_MS })
})

test('up to its soft age it is served without a request; beyond, served while a new one is read', async () => {
  const { source, reads, clock, first } = start()
  await first()
  clock.advance(15_000)
  await source.read()
  expect(reads).toHaveLength(1)
  clock.advance(1)
  expect((await source.read()).value).toBe('one')
  expect((await source.read()).value).toBe('one')
  expect(reads).toHaveLength(2)
  reads[1]?.resolve('two')
  await settle()
  expect(await source.read()).toEqual({ value: 'two', asOfMs: START_MS + 15_001 })
})

test('up to its hard age it is served although reads fail; beyond, the failure is', async () => {
  const { source, reads, clock, first } = start()
  await first()
  clock.advance(300_000)
  expect((await source.read()).value).toBe('one')
  reads[1]?.reject(new UpstreamError('down', 'gone'))
  await settle()
  expect((await source.read()).value).toBe('one')
  clock.advance(1)
  await expect(source.read()).rejects.toThrow('gone')
  expect(reads).toHaveLength(2)
  expect(source.last()?.value).toBe('one')
  clock.advance(1_000)
  const again = source.read()
  reads[2]?.resolve('three')
  expect((await again).value).toBe('three')
})

test('after failures the provider is asked ever more rarely, every 15 s at last, however many ask us', async () => {
  const { source, reads, clock } = start()
  const askedAt: number[] = []
  for (let second = 0; second < 100; second++) {
    for (let each = 0; each < 5; each++) source.read().catch(() => {})
    if (reads.length > askedAt.length) askedAt.push(second)
    reads.at(-1)?.reject(new UpstreamError('down', 'gone'))
    await settle()
    clock.advance(1_000)
  }
  expect(askedAt).toEqual([0, 1, 3, 7, 15, 30, 45, 60, 75, 90])
})

test('whatever a read throws, an UpstreamError comes out', async () => {
  const { source, reads } = start()
  const read = source.read()
  reads[0]?.reject(new RangeError('a bug'))
  await expect(read).rejects.toBeInstanceOf(UpstreamError)
})

test('a clock that is set back makes no old value young for longer', async () => {
  let nowMs = START_MS
  const { source, reads, first } = start({ now: () => nowMs })
  await first()
  nowMs -= 3_600_000
  await source.read()
  nowMs += 300_001
  source.read().catch(() => {})
  expect(reads).toHaveLength(2)
  reads[1]?.resolve('two')
  await settle()
  expect(source.last()?.value).toBe('two')
})
