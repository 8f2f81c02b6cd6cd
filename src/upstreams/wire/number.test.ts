import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { maybeFlag, maybeNumber, wireFlag, wireNumber } from './number.ts'

const bounds = { min: -10, max: 1e6 }
const Required = z.object({ n: wireNumber(bounds) })
const Optional = z.object({ n: maybeNumber(bounds) })
const isRefused = (schema: z.ZodType, json: unknown) => !schema.safeParse(json).success

describe('numbers from providers', () => {
  it.each([
    [5, 5],
    ['5', 5],
    ['0.490', 0.49],
    ['.5', 0.5],
    ['5.', 5],
    ['-0.25', -0.25],
    ['1e-7', 1e-7],
    ['1E3', 1000],
    [-10, -10],
    ['1000000', 1e6],
    [0, 0],
    ['0', 0],
    [-0, 0],
    ['-0', 0],
  ])('reads %j as %d', (wire, number) => {
    expect(Required.parse({ n: wire })).toEqual({ n: number })
    expect(Optional.parse({ n: wire })).toEqual({ n: number })
    expect(Object.is(Required.parse({ n: wire }).n, -0)).toBe(false)
  })

  it.each([
    ['abc'],
    [' 5'],
    ['5 '],
    ['0x10'],
    ['1_000'],
    ['1,5'],
    ['--5'],
    ['.'],
    ['1e400'],
    [JSON.parse('1e400')],
    ['Infinity'],
    ['-Infinity'],
    [2 ** 70],
    [String(2n ** 70n)],
    [-10.0001],
    [1_000_000.1],
    [true],
    [[]],
    [[5]],
    [{}],
    [{ valueOf: 5 }],
    ['9'.repeat(101)],
    [`0.${'0'.repeat(99)}1`],
  ])('refuses %j', (wire) => {
    expect(isRefused(Required, { n: wire })).toBe(true)
    expect(isRefused(Optional, { n: wire })).toBe(true)
  })

  it.each([[undefined], [null], [''], ['NaN']])('keeps %j apart from zero', (wire) => {
    expect(isRefused(Required, { n: wire })).toBe(true)
    expect(Optional.parse({ n: wire }).n).toBeUndefined()
  })

  it('takes a missing key as unknown', () => {
    expect(isRefused(Required, {})).toBe(true)
    expect(Optional.parse({}).n).toBeUndefined()
  })

  it('says what was expected, not what was sent', () => {
    const { error } = Required.safeParse({ n: '<script>' })
    expect(error?.issues[0]?.message).toBe('expected a number from -10 to 1000000, received string')
  })
})

describe('flags from providers', () => {
  it.each([
    [true, true],
    ['true', true],
    [false, false],
    ['false', false],
  ])('reads %j as %j', (wire, flag) => {
    expect([wireFlag().parse(wire), maybeFlag().parse(wire)]).toEqual([flag, flag])
  })

  it.each([[undefined], [null], ['']])('keeps %j apart from false', (wire) => {
    expect(isRefused(wireFlag(), wire)).toBe(true)
    expect(maybeFlag().parse(wire)).toBeUndefined()
  })

  it.each([[0], [1], ['yes'], ['TRUE'], [[]], [{}]])('refuses %j', (wire) => {
    expect([isRefused(wireFlag(), wire), isRefused(maybeFlag(), wire)]).toEqual([true, true])
  })
})
