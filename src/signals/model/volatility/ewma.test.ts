import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createEwmas } from './ewma.ts'

const someValues = fc.array(fc.double({ min: -1e3, max: 1e3, noNaN: true }), { minLength: 1, maxLength: 60 })
const someWeight = fc.double({ min: 0.01, max: 0.9, noNaN: true })

/** Each value weighs (1 − weight) per step of its age, and the weights are made to sum to one. */
function naive(values: readonly number[], weight: number): number {
  const weights = values.map((_, at) => (1 - weight) ** (values.length - 1 - at))
  const total = weights.reduce((sum, each) => sum + each, 0)
  return values.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), 0) / total
}

test('is the weighted mean of all it was given, from the first value on', () => {
  fc.assert(
    fc.property(someValues, someWeight, (values, weight) => {
      const ewmas = createEwmas([0.5, weight])
      values.forEach((value, at) => {
        ewmas.add(1, value)
        ewmas.add(0, -value)
        expect(ewmas.value(1)).toBeCloseTo(naive(values.slice(0, at + 1), weight), 6)
      })
    }),
  )
})

test('says 0 before it was given anything', () => {
  expect(createEwmas([0.1]).value(0)).toBe(0)
})

test('what is put back goes on bit by bit as if nothing had been added', () => {
  fc.assert(
    fc.property(someValues, someValues, someWeight, (values, passing, weight) => {
      const [disturbed, calm] = [createEwmas([weight]), createEwmas([weight])]
      for (const value of values) {
        const restore = disturbed.keep()
        for (const other of passing) disturbed.add(0, other)
        restore()
        disturbed.add(0, value)
        calm.add(0, value)
        expect(disturbed.value(0)).toBe(calm.value(0))
      }
    }),
  )
})
