import { z } from 'zod'
import { fault } from './number.ts'

// Amounts that are moved: whole numbers of the smallest unit, without a double in between.

const DECIMAL_E6 = /^(\d{1,18})(?:\.(\d{0,6})0*)?$/
const WHOLE = /^\d{1,78}$/
const UINT256_END = 1n << 256n

/** `"5.1"` is 5100000n. More than six decimals, a sign or an exponent are refused. */
export const wireMillionths = () =>
  z
    .unknown()
    .optional()
    .transform((value, { issues }) => {
      const amount = findMillionths(value)
      if (amount !== undefined) return amount
      issues.push(fault(value, 'an amount of at most six decimals'))
      return z.NEVER
    })

/** Undefined where the provider does not say. */
export const maybeMillionths = () =>
  z
    .unknown()
    .optional()
    .transform((value, { issues }) => {
      if (value === undefined || value === null || value === '') return undefined
      const amount = findMillionths(value)
      if (amount !== undefined) return amount
      issues.push(fault(value, 'an amount of at most six decimals or nothing'))
      return z.NEVER
    })

/** A number of units as text: a balance or an allowance. */
export const wireUnits = () =>
  z.string().transform((value, { issues }) => {
    const units = WHOLE.test(value) ? BigInt(value) : UINT256_END
    if (units < UINT256_END) return units
    issues.push(fault(value, 'a whole number below 2^256'))
    return z.NEVER
  })

function findMillionths(value: unknown): bigint | undefined {
  const text = typeof value === 'number' ? String(value) : value
  const parts = typeof text === 'string' ? DECIMAL_E6.exec(text) : null
  if (!parts) return undefined
  const [, whole = '', decimals = ''] = parts
  return BigInt(whole + decimals.padEnd(6, '0'))
}
