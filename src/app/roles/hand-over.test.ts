import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { createManualClock } from '../../core/time/manual-clock.ts'
import { SECOND_MS } from '../../core/time/time.ts'
import { createHandOver, HAND_OVER_MS, SILENT_AFTER_MS } from './hand-over.ts'

/** `tells`: another engine says something in every turn. */
type How = { tells: boolean; isAwaited?: boolean; isRedisLost?: boolean }

function scene({ tells, isAwaited = true, isRedisLost = false }: How) {
  const clock = createManualClock(Date.UTC(2026, 0, 5))
  const other = { tells, reads: 0, isRedisLost }
  const over = new AbortController()
  const done: string[] = []
  const relay = {
    async read() {
      if (other.isRedisLost) throw new Error('not connected')
      if (other.tells) other.reads++
      return { epoch: 1, newestId: `${other.reads}-0`, entries: [] }
    },
  }
  const leadership = {
    isAwaited: async () => isAwaited,
    close: async () => void done.push('gave up'),
  }
  const handOver = createHandOver({ relay, clock, leadership, over: over.signal })
  const pass = async (ms: number) => {
    for (let passedMs = 0; passedMs < ms; passedMs += 100) {
      clock.advance(100)
      await setImmediate()
    }
  }
  const end = () => void handOver.end().then(() => done.push('ended'))
  return { handOver, other, over, done, pass, end }
}

describe('an engine that leads', () => {
  test('tells soon where nobody does', async () => {
    const { handOver, pass } = scene({ tells: false })
    expect(handOver.mayBegin()).toBe(false)
    await pass(2 * SILENT_AFTER_MS)
    expect(handOver.mayBegin()).toBe(true)
  })

  test('lets the one that hands over tell until it is open itself', async () => {
    const { handOver, pass } = scene({ tells: true })
    await pass(5 * SECOND_MS)
    expect(handOver.mayBegin()).toBe(false)
    handOver.begin()
    expect(handOver.mayBegin()).toBe(true)
  })

  test('tells before it is open where the other one falls silent', async () => {
    const { handOver, other, pass } = scene({ tells: true })
    await pass(SECOND_MS)
    other.tells = false
    await pass(3 * SILENT_AFTER_MS)
    expect(handOver.mayBegin()).toBe(true)
  })
})

describe('an engine that is not connected to Redis yet', () => {
  test('does not take that for silence', async () => {
    const { handOver, other, pass } = scene({ tells: true, isRedisLost: true })
    await pass(SECOND_MS)
    expect(handOver.mayBegin()).toBe(false)
    other.isRedisLost = false
    await pass(SECOND_MS)
    expect(handOver.mayBegin()).toBe(false)
    other.tells = false
    await pass(3 * SILENT_AFTER_MS)
    expect(handOver.mayBegin()).toBe(true)
  })
})

describe('an engine that ends its term', () => {
  test('gives it up at once, and tells until the next one does', async () => {
    const { handOver, over, done, pass, end } = scene({ tells: false })
    handOver.begin()
    end()
    await pass(HAND_OVER_MS - SECOND_MS)
    expect(done).toEqual(['gave up'])
    over.abort()
    await pass(100)
    expect(done).toEqual(['gave up', 'ended'])
  })

  test('waits no longer than the next one may need', async () => {
    const { handOver, done, pass, end } = scene({ tells: false })
    handOver.begin()
    end()
    await pass(HAND_OVER_MS + 100)
    expect(done).toEqual(['gave up', 'ended'])
  })

  test.each([
    ['nobody waits for it', { isAwaited: false, tells: false }],
    ['it has told nothing yet', { isAwaited: true, tells: true }],
  ])('waits for nothing where %s', async (_, how) => {
    const { done, pass, end } = scene(how)
    await pass(SECOND_MS)
    end()
    await pass(100)
    expect(done).toEqual(['gave up', 'ended'])
  })
})
