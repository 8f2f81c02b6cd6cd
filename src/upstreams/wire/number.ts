import { z } from 'zod'

// Numbers and flags as providers send them: as number, as text, as "", "NaN" or null, or not at all.
// A value that is there must be one; what is not there is undefined, never 0.

/** `.5` and `1e-7` are decimals; ` 5`, `0x10`, `1_000` and `Infinity` are not. */
const DECIMAL = /^-?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?$/i
const MAX_DECIMAL_CHARS = 100
/** How providers write that they do not know a number. */
const UNKNOWN: ReadonlySet<unknown> = new Set([undefined, null, '', 'NaN', 'nan'])

type Bounds = { min: number; max: number }

/** A number that has to be there. Both bounds belong to the range. */
export const wireNumber = (bounds: Bounds) =>
  z
    .unknown()
    .optional()
    .transform((value, { issues }) => {
      const number = findDecimal(value)
      if (number !== undefined && isWithin(number, bounds)) return number
      issues.push(fault(value, `a number from ${bounds.min} to ${bounds.max}`))
      return z.NEVER
    })

/** Undefined where the provider does not say; a value that is no number in the range is refused. */
export const maybeNumber = (bounds: Bounds) =>
  z
    .unknown()
    .optional()
    .transform((value, { issues }) => {
      if (UNKNOWN.has(value)) return undefined
      const number = findDecimal(value)
      if (number !== undefined && isWithin(number, bounds)) return number
      issues.push(fault(value, `a number from ${bounds.min} to ${bounds.max} or nothing`))
      return z.NEVER
    })

const FLAGS: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [true, true],
  [false, false],
  ['true', true],
  ['false', false],
])

export const wireFlag = () =>
  z
    .unknown()
    .optional()
    .transform((value, { issues }) => {
      const flag = FLAGS.get(value)
      if (flag !== undefined) return flag
      issues.push(fault(value, 'true or false'))
      return z.NEVER
    })

/** True, false, or undefined where the provider does not say. */
export const maybeFlag = () =>
  z
    .unknown()
    .optional()
    .transform((value, { issues }) => {
      const flag = FLAGS.get(value)
      if (flag !== undefined || value === undefined || value === null || value === '') return flag
      issues.push(fault(value, 'true, false or nothing'))
      return z.NEVER
    })

/** Names what was expected, and of what was sent only its type: a hostile value stays out of logs and replies. */
export function fault(input: unknown, expected: string) {
  const sent = input === null ? 'null' : Array.isArray(input) ? 'a list' : typeof input
  return { code: 'custom' as const, input, message: `expected ${expected}, received ${sent}` }
}

function findDecimal(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : undefined
  if (typeof value !== 'string' || value.length > MAX_DECIMAL_CHARS || !DECIMAL.test(value)) return undefined
  const number = Number(value)
  // Adding 0 turns -0 into 0.
  return Number.isFinite(number) ? number + 0 : undefined
}

const isWithin = (value: number, { min, max }: Bounds) => value >= min && value <= max
