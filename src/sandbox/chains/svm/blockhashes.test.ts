import { expect, test } from 'vitest'
import { createManualClock } from '../../../core/time/manual-clock.ts'
import { createBlockhashes } from './blockhashes.ts'

const START_MS = Date.UTC(2026, 0, 5, 12)

test('a new blockhash every 400 ms, valid for exactly 150 slots', () => {
  const clock = createManualClock(START_MS)
  const blockhashes = createBlockhashes({ seed: 'a', clock })
  const { blockhash, lastValidBlockHeight } = blockhashes.latest()
  expect(lastValidBlockHeight).toBe(blockhashes.slot() + 150)
  clock.advance(399)
  expect(blockhashes.latest().blockhash).toBe(blockhash)
  clock.advance(1)
  expect(blockhashes.latest().blockhash).not.toBe(blockhash)
  clock.advance(149 * 400)
  expect(blockhashes.slot()).toBe(lastValidBlockHeight)
  expect(blockhashes.isValid(blockhash)).toBe(true)
  clock.advance(400)
  expect(blockhashes.isValid(blockhash)).toBe(false)
})

test('a hash of a past slot is valid even if nobody asked then; one of another chain or of the future is not', () => {
  const clock = createManualClock(START_MS)
  const blockhashes = createBlockhashes({ seed: 'a', clock })
  const ahead = createManualClock(START_MS + 400)
  expect(blockhashes.isValid(createBlockhashes({ seed: 'a', clock: ahead }).latest().blockhash)).toBe(false)
  expect(blockhashes.isValid(createBlockhashes({ seed: 'b', clock }).latest().blockhash)).toBe(false)
  const { blockhash } = blockhashes.latest()
  clock.advance(100 * 400)
  expect(createBlockhashes({ seed: 'a', clock }).isValid(blockhash)).toBe(true)
  clock.advance(24 * 3_600_000)
  expect(blockhashes.isValid(blockhash)).toBe(false)
})
