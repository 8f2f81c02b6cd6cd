import { describe, expect, test } from 'vitest'
import { createManualClock } from '../core/time/manual-clock.ts'
import { createMemoryBotBook } from '../testing/ledger/bot/memory-bot-book.ts'
import { createMemoryBotRows } from '../testing/ledger/bot/memory-bot-rows.ts'
import { createBreaker } from './breaker.ts'

/** A breaker whose ledger writes when it is told to. */
function createWorld() {
  const manual = createManualClock(1_000_000)
  let offsetMs = 0
  const clock = { ...manual, now: () => manual.now() + offsetMs }
  const rows = createMemoryBotRows()
  const gates: (() => void)[] = []
  let isHeld = false
  const book = createMemoryBotBook(rows, async (apply) => {
    if (isHeld) await new Promise<void>((resolve) => gates.push(resolve))
    return apply()
  })
  let resets = 0
  const onReset = () => {
    resets++
  }
  const start = async () => {
    const view = { trades: () => [] }
    const breaker = createBreaker({ clock, log: { warn() {} }, book, view, onReset })
    await breaker.load()
    return breaker
  }
  return {
    setBack(ms: number) {
      offsetMs -= ms
    },
    start,
    resets: () => resets,
    kinds: () => rows.breaker.map(({ kind, reason }) => (kind === 'reset' ? kind : reason)),
    hold() {
      isHeld = true
    },
    async release(work: readonly Promise<unknown>[]) {
      isHeld = false
      let isDone = false
      const all = Promise.all(work).finally(() => {
        isDone = true
      })
      while (!isDone) {
        gates.shift()?.()
        await Promise.resolve()
      }
      await all
    },
  }
}

const open = { isOpen: true }

describe('a reason that comes while the breaker is open', () => {
  test('is a row of its own and shown, once, and is there after a restart', async () => {
    const world = createWorld()
    const breaker = await world.start()
    await breaker.open('losses')
    await breaker.open('the venue has fewer shares')
    await breaker.open('losses')
    expect(world.kinds()).toEqual(['losses', 'the venue has fewer shares'])
    const shown = { isOpen: true, reason: 'losses; the venue has fewer shares', sinceMs: 1_000_000 }
    expect(breaker.read('paper')).toMatchObject(shown)
    expect((await world.start()).read('paper')).toMatchObject(shown)
    await breaker.reset('me')
    expect(breaker.read('paper')).toMatchObject({ isOpen: false, reason: 'reset by the operator' })
    expect(world.resets()).toBe(1)
  })

  test('is not written without end, and the reset before it is still found after a restart', async () => {
    const world = createWorld()
    const breaker = await world.start()
    await breaker.reset('me')
    for (let n = 0; n < 300; n++) await breaker.open(`reason ${n}`)
    expect(world.kinds()).toHaveLength(51)
    expect(breaker.read('paper').reason).toBe('reason 0; reason 1; reason 2; reason 3; reason 4; and 45 more')
    const again = await world.start()
    await again.reset('me')
    expect((await world.start()).read('paper')).toMatchObject({ isOpen: false })
  })
})

describe('an opening that comes while a reset is being written', () => {
  test.each([[[]], [['losses']]])(
    'keeps it open, in memory and in the ledger; before: %j',
    async (before) => {
      const world = createWorld()
      const breaker = await world.start()
      for (const reason of before) await breaker.open(reason)
      world.hold()
      const reset = breaker.reset('me')
      await Promise.resolve()
      const opening = breaker.open('the venue has fewer shares')
      expect(breaker.read('paper')).toMatchObject(open)
      await world.release([reset, opening])
      expect(breaker.read('paper')).toMatchObject({ ...open, reason: 'the venue has fewer shares' })
      expect(world.kinds()).toEqual([...before, 'reset', 'the venue has fewer shares'])
      expect((await world.start()).read('paper')).toMatchObject(open)
    },
  )

  test('is behind the reset in the ledger also where it was written before it', async () => {
    const world = createWorld()
    const breaker = await world.start()
    world.hold()
    const first = breaker.open('losses')
    const reset = breaker.reset('me')
    const opening = breaker.open('the venue has fewer shares')
    await world.release([first, reset, opening])
    expect(world.kinds().at(-1)).toBe('the venue has fewer shares')
    expect((await world.start()).read('paper')).toMatchObject(open)
  })
})

test('rows count in the order they were written, also where the clock was set back', async () => {
  const world = createWorld()
  const breaker = await world.start()
  await breaker.reset('me')
  world.setBack(3_600_000)
  await breaker.open('losses')
  expect((await world.start()).read('paper')).toMatchObject(open)
  await breaker.reset('me')
  expect((await world.start()).read('paper')).toMatchObject({ isOpen: false })
})
