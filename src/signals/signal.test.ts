import fc from 'fast-check'
import { expect, test } from 'vitest'
import { verdictOf } from './signal.ts'

test('one half is UP, because ties are', () => {
  expect(verdictOf(0.5, 0.5)).toEqual({
    probabilityUp: 0.5,
    direction: 'UP',
    confidence: 0.5,
    abstain: false,
  })
})

test.each([
  [0.53, 'UP', 0.53],
  [0.47, 'DOWN', 0.53],
  [1, 'UP', 1],
  [0, 'DOWN', 1],
])('%f says %s with %f', (probabilityUp, direction, confidence) => {
  expect(verdictOf(probabilityUp, 0.5)).toMatchObject({ direction, confidence })
})

test('abstains below the bound and not at it', () => {
  expect([0.519, 0.52, 0.48, 0.481].map((p) => verdictOf(p, 0.52).abstain)).toEqual([
    true,
    false,
    false,
    true,
  ])
})

test('the stated direction is never the less likely one', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (probabilityUp) => {
      const { direction, confidence } = verdictOf(probabilityUp, 0.5)
      expect(confidence).toBeGreaterThanOrEqual(0.5)
      expect(confidence).toBe(direction === 'UP' ? probabilityUp : 1 - probabilityUp)
    }),
  )
})
