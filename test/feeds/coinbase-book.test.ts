import { expect, test } from 'vitest'
import type { Tamper } from '../../src/sandbox/providers/peers.ts'
import { createBookAudit } from './book-audit.ts'
import { openWorld, START_MS } from './world.ts'

const STEP_MS = 5_000

/** Runs two minutes, hands the changes of one coin's book to `tamper` once in the middle, and says what was seen. */
async function runWith(tamper: (texts: readonly string[]) => readonly string[]) {
  let hold: string[] | undefined
  const holding: Tamper = ({ venue, text }) => {
    if (venue !== 'coinbase' || !text.includes('l2update') || !text.includes('SOL-USD') || !hold)
      return [text]
    hold.push(text)
    if (hold.length < 2) return []
    const texts = tamper(hold)
    hold = undefined
    return texts
  }
  const { spy, look, books, lost } = createBookAudit()
  await using world = await openWorld({ tamper: holding, spy })
  const faults: (string | undefined)[] = []
  for (let step = 1; step <= 24; step++) {
    if (step === 6) hold = []
    await world.stepTo(START_MS + step * STEP_MS)
    look(world.market, world.simulation)
    faults.push(world.market.book('coinbase', 'SOL')?.fault)
  }
  return { faults, wrong: books.coinbase.wrong, lost: Object.fromEntries(lost) }
}

test.each([
  [
    'a garbled change',
    ([first = '', second = '']: readonly string[]) => [first.replace('changes', 'chances'), second],
    'sequence',
  ],
  [
    'a change that is not JSON',
    ([first = '', second = '']: readonly string[]) => [first.slice(0, 40), second],
    'sequence',
  ],
  // Without the first one the second makes the book cross, and that is noticed before the first arrives.
  [
    'two changes in the wrong order',
    ([first = '', second = '']: readonly string[]) => [second, first],
    'crossed',
  ],
] as const)('%s puts the book in doubt at once, and a snapshot heals it', async (_, tamper, fault) => {
  const { faults, wrong, lost } = await runWith(tamper)
  expect(faults[6]).toBe(fault)
  expect(faults.at(-1)).toBeUndefined()
  expect(lost[fault]).toBeGreaterThan(0)
  expect(wrong).toBe(0)
})
