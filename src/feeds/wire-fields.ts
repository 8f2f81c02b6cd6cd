import { findFinite, findPositive } from '../core/finite.ts'
import type { Level } from '../core/level.ts'

// Readers of wire fields: undefined for an invalid value, never an exception.

export type WireRecord = Readonly<Record<string, unknown>>

export function isRecord(value: unknown): value is WireRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function findText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** A whole number that is not negative: an id, a count or a time. */
export function findId(value: unknown): number | undefined {
  const id = findFinite(value)
  return id !== undefined && Number.isSafeInteger(id) && id >= 0 ? id : undefined
}

/** A list of `[price, size]`. Price above 0, size 0 or more. */
export function findLevels(value: unknown): readonly Level[] | undefined {
  if (!Array.isArray(value)) return undefined
  const levels: Level[] = []
  for (const row of value) {
    const level = Array.isArray(row) ? findLevel(row[0], row[1]) : undefined
    if (!level) return undefined
    levels.push(level)
  }
  return levels
}

/** Prices are compared as numbers, so `4084.88` and `4084.88000000` are one level. */
export function findLevel(wirePrice: unknown, wireSize: unknown): Level | undefined {
  const price = findPositive(wirePrice)
  const size = findFinite(wireSize)
  return price === undefined || size === undefined || size < 0 ? undefined : [price, size]
}
