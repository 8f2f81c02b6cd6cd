import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { SimLevel } from '../sim-events.ts'
import { diffSide } from './book-diff.ts'

const sideOf = (away: 1 | -1) =>
  fc
    .uniqueArray(fc.tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 9 })), {
      selector: ([ticks]) => ticks,
      maxLength: 30,
    })
    .map((levels): readonly SimLevel[] => levels.sort((a, b) => (a[0] - b[0]) * away))

it.each([1, -1] as const)('a diff leads from any side to any other (away %i)', (away) => {
  fc.assert(
    fc.property(sideOf(away), sideOf(away), (before, after) => {
      const levels = new Map(before)
      for (const [ticks, lots] of diffSide(before, after, away))
        if (lots === 0) expect(levels.delete(ticks)).toBe(true)
        else levels.set(ticks, lots)
      expect([...levels].sort((a, b) => (a[0] - b[0]) * away)).toEqual(after)
    }),
  )
})

it('says nothing when nothing changed', () => {
  fc.assert(fc.property(sideOf(1), (side) => diffSide(side, side, 1).length === 0))
})
