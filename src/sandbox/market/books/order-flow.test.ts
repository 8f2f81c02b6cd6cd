import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { SimLevel } from '../sim-events.ts'
import { takeFrom } from './order-flow.ts'

const asks = fc
  .array(fc.integer({ min: 1, max: 50 }), { minLength: 2, maxLength: 20 })
  .map((sizes) => sizes.map((lots, i): SimLevel => [100 + i, lots]))
const sum = (levels: readonly { lots: number }[]) => levels.reduce((total, { lots }) => total + lots, 0)

it('an order takes from the best level on, never more than it asked for or than rests', () => {
  fc.assert(
    fc.property(asks, fc.integer({ min: 1, max: 2000 }), (levels, lots) => {
      const { takes, rest } = takeFrom(levels, lots)
      const before = levels.reduce((total, level) => total + level[1], 0)
      const after = rest.reduce((total, level) => total + level[1], 0)
      expect(sum(takes)).toBe(before - after)
      expect(sum(takes)).toBeLessThanOrEqual(lots)
      expect(takes.map(({ ticks }) => ticks)).toEqual(takes.map((_, i) => 100 + i))
      // The last level is never eaten, so that a side always has a best price.
      expect(rest.length).toBeGreaterThan(0)
      if (rest.length > 1) expect(sum(takes)).toBe(lots)
      if (lots < before - (levels.at(-1)?.[1] ?? 0)) expect(sum(takes)).toBe(lots)
    }),
  )
})
